import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { clockAt, type Harness, startHarness } from '../../test/harness';
import { liveSettings } from '../../test/live-settings';
import { ACCOUNT_TIMEOUTS } from '../../test/two-accounts';

const HOUR = 3_600_000;
const [BTC, ETH] = ['BTC/USDT:USDT', 'ETH/USDT:USDT'];

describe('GET /funding-payments', () => {
  const noon = `${new Date().toISOString().slice(0, 10)}T12:00:00.000Z`;
  const clock = clockAt(noon);
  const now = () => clock.now().getTime();
  let sim: ExchangeSim;
  let service: Harness;

  beforeAll(async () => {
    sim = await startExchangeSim({ dialect: DIALECTS.binance as Dialect, seed: 7, now });
    sim.account.balances = { USDT: { free: '1000', locked: '0' } };
    service = await startHarness({
      context: { clock },
      env: {
        ...ACCOUNT_TIMEOUTS,
        ...liveSettings(sim),
        METRICS_SYMBOLS: `BTC/USDT,${BTC},${ETH}`,
      },
    });
    await collect();
    clock.forward(24 * HOUR);
    pay('1', 'BTC/USDT', '-1.5');
    pay('2', 'ETH/USDT', '0.25');
    const transfer = { id: 'in', type: 'deposit', asset: 'USDT', amount: '100' } as const;
    sim.account.transfers.push({ ...transfer, time: now() - 60_000 });
    sim.account.balances = { USDT: { free: '1107', locked: '0' } };
    sim.account.margin = '4998.75';
    await collect();
    clock.forward(24 * HOUR);
    pay('3', 'BTC/USDT', '-0.75');
    sim.account.margin = '4998';
    await collect();
  });
  afterAll(async () => {
    await service.close();
    await sim.close();
  });

  const collect = () => service.http.post('/metrics/collect').send({}).expect(200);
  const pay = (id: string, symbol: string, received: string) =>
    sim.account.fundingPayments.push({ id, symbol, received, time: now() - 60_000 - Number(id) });
  const get = async (path: string) => (await service.http.get(path).expect(200)).body;
  const ids = (items: { payment_id: string }[]) => items.map(({ payment_id }) => payment_id);

  it('lists each payment once over all pages in both orders', async () => {
    const { items } = await get('/funding-payments');
    expect(items[0]).toEqual({
      ...{ payment_id: '3', exchange: `binance@${new URL(sim.url).host}`, simulated: true },
      ...{ symbol: BTC, asset: 'USDT', amount: '-0.75', quote: 'USDT', value_in_quote: '-0.75' },
      paid_at: new Date(now() - 60_003).toISOString(),
    });
    expect(ids(items)).toEqual(['3', '1', '2']);
    const first = await get('/funding-payments?order=asc&limit=2');
    expect([ids(first.items), first.pagination.has_more]).toEqual([['2', '1'], true]);
    const cursor = first.pagination.next_cursor;
    const rest = await get(`/funding-payments?order=asc&limit=2&cursor=${cursor}`);
    expect([ids(rest.items), rest.pagination.next_cursor]).toEqual([['3'], null]);
  });

  it('filters by symbol, account and time', async () => {
    expect(ids((await get(`/funding-payments?symbol=${ETH}`)).items)).toEqual(['2']);
    const today = new Date(now() - HOUR).toISOString();
    expect(ids((await get(`/funding-payments?start=${today}`)).items)).toEqual(['3']);
    expect(ids((await get(`/funding-payments?end=${today}`)).items)).toEqual(['1', '2']);
    expect((await get('/funding-payments?account=other')).items).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
    ['order=up', 'order'],
    ['simbol=BTC', 'simbol'],
    ['start=yesterday', 'start'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await service.http.get(`/funding-payments?${query}`);
    expect([status, body.detail?.[0]?.loc]).toEqual([422, ['query', field]]);
  });

  it('lists payments that GET /profit separates from transfers and other results', async () => {
    const { account } = await get('/profit');
    expect(account).toMatchObject([
      { equity_start: '6000', transfers: '100', result: '5.75', funding: '-1.25', other: '7' },
      { transfers: '0', result: '-0.75', funding: '-0.75', other: '0' },
    ]);
  });

  it('lists a payment without a price, which makes `other` in GET /profit unknown', async () => {
    await service.rows(
      "UPDATE funding_payment SET asset = 'LUNA', value_in_quote = NULL WHERE payment_id = '3'",
    );
    expect((await get('/profit')).account).toMatchObject([
      { other: '7' },
      { result: '-0.75', funding: null, other: null },
    ]);
    await service.rows("UPDATE funding_payment SET asset = 'BTC' WHERE payment_id = '3'");
    clock.forward(HOUR / 2);
    await collect();
    const [{ value_in_quote: value }] = (await get('/funding-payments?limit=1')).items;
    expect(Number(value)).toBeLessThan(-10_000);
  });
});
