import type { ExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { clockAt, type Harness, startHarness } from '../../test/harness';
import { useTwoAccounts } from '../../test/two-accounts';
import { samplesSql } from '../exposition/exposition';
import { TRANSFER } from '../kinds/transfer/transfer';

describe('a service with several accounts', () => {
  const clock = clockAt('2026-03-02T10:00:00.000Z');
  const now = () => clock.now().getTime();
  const accounts = useTwoAccounts({ now });
  let service: Harness;
  let gridId: string;

  beforeAll(async () => {
    const { main, second } = accounts;
    hold(main, '1000');
    hold(second, '777');
    service = await startHarness({
      context: { clock },
      env: {
        ...accounts.env(),
        METRICS_WEBHOOK_URL: 'http://127.0.0.1:9/',
        METRICS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
      },
    });
    const made = await service.http.post('/grids/create').send({
      ...{ name: 'g', symbol: 'BTC/USDT', account: 'second', total_quote: 500 },
      ...{ lower_price: 20_000, upper_price: 200_000, grid_count: 4 },
    });
    gridId = made.body.grid_id;
    await collect();
    clock.forward(3_600_000);
    const time = now() - 60_000;
    main.account.transfers.push({
      ...{ id: 'out', type: 'withdrawal', asset: 'USDT', amount: '50', fee: '1', time },
    });
    hold(main, '949');
    second.account.transfers.push({
      id: 'in',
      type: 'deposit',
      asset: 'USDT',
      amount: '100',
      time,
    });
    hold(second, '882');
    await collect();
    await service.rows(
      `UPDATE grid_snapshot SET grid_profit = 5, total_pnl = 5, inventory_result = 0, fees_total = 0
       WHERE id = (SELECT max(id) FROM grid_snapshot)`,
    );
  });
  afterAll(() => service.close());

  const hold = ({ account }: ExchangeSim, free: string) => {
    account.balances = { USDT: { free, locked: '0' } };
  };
  const get = async (path: string) => (await service.http.get(path).expect(200)).body;
  const collect = async () =>
    (await service.http.post('/metrics/collect').send({}).expect(200)).body;

  it('lists the transfers of each account', async () => {
    const { items } = await get('/metrics/history?kind=transfer&order=asc');
    const shown = items.map(({ account, type, amount }: Record<string, string>) => [
      ...[account, type, amount],
    ]);
    expect(shown.sort()).toEqual([
      ['main', 'withdrawal', '50'],
      ['second', 'deposit', '100'],
    ]);
    expect((await get('/metrics/history?kind=transfer&account=second')).items).toHaveLength(1);
    const { transfers } = await get('/dashboard/state?account=second');
    expect(transfers).toMatchObject([{ account: 'second', type: 'deposit' }]);
  });

  it('reports profit separately for each account and each grid', async () => {
    const { account, items } = await get('/profit?periods=1');
    expect(items).toMatchObject([{ grid_id: gridId, account: 'second', grid_profit: '5' }]);
    const [exchange] = items.map((item: { exchange: string }) => item.exchange);
    const ofMain = {
      ...{ account: 'main', equity_start: '1000', equity_end: '949', transfers: '-50' },
      ...{ result: '-1', grid_profit: '0', fees: '1', other: '0' },
    };
    const ofSecond = {
      ...{ account: 'second', exchange, equity_start: '777', equity_end: '882' },
      ...{ transfers: '100', result: '5', grid_profit: '5', fees: '0', other: '0' },
    };
    expect(account).toMatchObject([ofMain, ofSecond]);
    expect((await get('/profit?periods=1&account=second')).account).toMatchObject([ofSecond]);
    const mine = await get('/profit?periods=1&account=main');
    expect(mine).toMatchObject({ items: [], account: [ofMain] });
    const unknown = await service.http.get('/profit?account=nobody');
    expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ['query', 'account']]);
    expect((await get('/fills?account=second')).items).toEqual([]);
  });

  it('exports separate Prometheus samples for each account', async () => {
    const page = (await service.http.get('/metrics')).text;
    const of = (name: string) =>
      page
        .split('\n')
        .filter((line) => line.startsWith(`marketmetrics_${name}{`))
        .map((line) => [/account="(\w+)"/.exec(line)?.[1], line.split(' ').at(-1)])
        .sort();
    const each = (one: string, other: string) => [
      ['main', one],
      ['second', other],
    ];
    expect(of('transfers_quote')).toEqual(each('-50', '100'));
    expect(of('equity_quote')).toEqual(each('949', '882'));
    expect(of('grid_missing_orders')).toHaveLength(1);
  });

  it('computes the Prometheus samples of transfers from totals, not from single transfers', async () => {
    const [plan] = await service.rows(
      `EXPLAIN (FORMAT JSON) WITH shown AS (SELECT id, 'binance'::text AS owner FROM collection) ${samplesSql(TRANSFER)}`,
    );
    const read = JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g);
    const relations = new Set([...read].map(([, name]) => name));
    expect(relations.has('transfer_total')).toBe(true);
    expect(relations.has('transfer')).toBe(false);
  });

  it('corrects wrong totals of transfers', async () => {
    const totals = () =>
      service.rows('SELECT exchange, value FROM transfer_total ORDER BY exchange');
    const before = await totals();
    await service.rows('UPDATE transfer_total SET value = 7');
    await collect();
    expect(await totals()).toEqual(before);
  });

  it('names the account in webhooks about failed and recovered components', async () => {
    accounts.second.fail('503', '/api/v3/account');
    await collect();
    await collect();
    accounts.second.fail(null);
    await collect();
    const events = await service.rows<{ payload: string }>(
      "SELECT payload FROM webhook_event WHERE type LIKE 'component.%' ORDER BY id",
    );
    const told = events.map(({ payload }) => JSON.parse(payload));
    expect(told).toMatchObject([
      { type: 'component.failed', data: { account: 'second', component: 'account_balance' } },
      { type: 'component.recovered', data: { account: 'second', component: 'account_balance' } },
    ]);
    expect(told[0].data.exchange).toBe(`binance@${new URL(accounts.second.url).host}`);
  });
});
