import type { ExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { clockAt, type Harness, startHarness } from '../../test/harness';
import { useTwoAccounts } from '../../test/two-accounts';
import { NEWEST_TOTALS } from './newest-totals';

describe('GET /portfolio', () => {
  const clock = clockAt('2026-03-02T10:00:00.000Z');
  const now = () => clock.now().getTime();
  const accounts = useTwoAccounts({ now });
  let service: Harness;

  beforeAll(async () => {
    service = await startHarness({ context: { clock }, env: accounts.env() });
  });
  afterAll(() => service.close());

  const hold = ({ account }: ExchangeSim, free: string, more = {}) => {
    account.balances = { USDT: { free, locked: '0' }, ...more };
  };
  const move = (type: 'withdrawal' | 'deposit', amount: string, fee?: string) => ({
    ...{ id: `${type}${amount}`, type, asset: 'USDT', amount, time: now() - 1_000 },
    ...(fee && { fee }),
  });
  const collect = () => service.http.post('/metrics/collect').send({}).expect(200);
  const portfolio = async (query = '') =>
    (await service.http.get(`/portfolio${query}`).expect(200)).body;
  const gauges = async () =>
    (await service.http.get('/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('marketmetrics_portfolio_'))
      .map((line) => line.replace('marketmetrics_portfolio_', ''));

  it('returns no total before the first balance', async () => {
    expect(await portfolio()).toMatchObject({
      ...{ equity: null, stale: true, exposure: null, quote: 'USDT', simulated: true },
      drawdown: { peak: null, current: null },
      profit: { start: null, transfers: null, result: null },
    });
  });

  it('sums the equity of all accounts, and nets a transfer between them', async () => {
    const { main, second } = accounts;
    hold(main, '1000');
    hold(second, '500');
    await collect();
    clock.forward(60_000);
    main.account.transfers.push(move('withdrawal', '300', '1'));
    second.account.transfers.push(move('deposit', '300'));
    hold(main, '699');
    hold(second, '800');
    await collect();
    expect(await portfolio()).toMatchObject({
      ...{ equity: '1499', stale: false, exposure: [] },
      drawdown: { flow_adjusted: true, current: expect.closeTo(1 / 1500, 12) },
      profit: { transfers: '0', result: '-1' },
    });
  });

  it('excludes a transfer in transit from profit and drawdown', async () => {
    const { main, second } = accounts;
    clock.forward(60_000);
    main.account.transfers.push(move('withdrawal', '99'));
    hold(main, '600');
    await collect();
    const falling = { current: expect.closeTo(1 / 1500, 12), worst: expect.closeTo(1 / 1500, 12) };
    expect(await portfolio()).toMatchObject({
      equity: '1400',
      drawdown: falling,
      profit: { transfers: '-99', result: '-1' },
    });
    clock.forward(3_600_000);
    second.account.transfers.push(move('deposit', '99'));
    hold(second, '899');
    await collect();
    expect(await portfolio()).toMatchObject({
      equity: '1499',
      drawdown: falling,
      profit: { transfers: '0', result: '-1' },
    });
  });

  it('nets the exposure to a coin across the accounts', async () => {
    const { main, second } = accounts;
    clock.forward(60_000);
    hold(main, '600', { BTC: { free: '0.01', locked: '0' } });
    hold(second, '899', { BTC: { free: '0.02', locked: '0' } });
    await collect();
    const { exposure, equity } = await portfolio();
    expect(exposure).toHaveLength(1);
    expect(Number(exposure[0].value)).toBeCloseTo(Number(equity) - 1499, 8);
    await service.rows(
      `INSERT INTO position_snapshot (collection_ref, captured_at, exchange, simulated, stale, symbol, side, settle_asset,
         amount, entry_price, mark_price, unrealised_pnl, value_in_quote, unrealised_in_quote, funding_received)
       SELECT collection_ref, captured_at, exchange, simulated, false, 'BTC/USDT:USDT', 'short', 'USDT', 1, 1, 1, 0, $1, 0, 0
       FROM balance_snapshot WHERE asset IS NULL ORDER BY id DESC LIMIT 1`,
      [exposure[0].value],
    );
    expect((await portfolio()).exposure).toEqual([{ asset: 'BTC', value: '0', share: 0 }]);
    expect(await gauges()).toEqual([
      `equity_quote{quote="USDT",simulated="true"} ${Number(equity)}`,
      'exposure_quote{asset="BTC"} 0',
      expect.stringMatching(/^drawdown_ratio 0/),
    ]);
  });

  it.each([
    ['one account cannot be read', '503' as const],
    ['the last collection is older than two intervals', null],
  ])('exports no Prometheus gauges while %s', async (_when, fault) => {
    if (fault) {
      accounts.second.fail(fault, '/api/v3/account');
      clock.forward(60_000);
      await collect();
      expect(await portfolio()).toMatchObject({ equity: null, exposure: null });
      accounts.second.fail(null);
    } else {
      await collect();
      clock.forward(3_600_000);
      expect(await portfolio()).toMatchObject({ equity: expect.any(String), stale: true });
    }
    expect(await gauges()).toEqual([]);
  });

  it('returns null equity when one account uses another quote asset or has unknown equity', async () => {
    clock.forward(60_000);
    await collect();
    const last = 'id = (SELECT max(id) FROM balance_snapshot WHERE asset IS NULL)';
    await service.rows(`UPDATE balance_snapshot SET quote = 'EUR' WHERE ${last}`);
    expect((await portfolio()).equity).toBeNull();
    await service.rows(
      `UPDATE balance_snapshot SET quote = 'USDT', total_equity = NULL WHERE ${last}`,
    );
    expect((await portfolio()).equity).toBeNull();
  });

  it('excludes the last total in another quote asset and all totals before it', async () => {
    await service.rows("UPDATE balance_snapshot SET quote = 'EUR' WHERE asset IS NULL");
    expect(await portfolio()).toMatchObject({
      drawdown: { peak: null, current: null },
      profit: { start: null, result: null },
    });
    clock.forward(60_000);
    await collect();
    const { profit, drawdown } = await portfolio();
    expect(profit.start).toBe(profit.end);
    expect(drawdown.current).toBe(0);
  });

  it('returns null transfers and profit when the transfers of one account are unknown', async () => {
    await service.rows("DELETE FROM transfer_progress WHERE exchange LIKE '%second'");
    const { drawdown, profit } = await portfolio();
    expect(drawdown.flow_adjusted).toBe(false);
    expect(profit).toMatchObject({ transfers: null, result: null });
    expect((await gauges()).join()).not.toContain('drawdown');
  });

  it.each(['?days=0', '?account=main'])('rejects %s with 422', async (query) => {
    expect((await service.http.get(`/portfolio${query}`)).status).toBe(422);
  });
});

interface Plan {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const readBy = (plan: Plan): number =>
  Math.max(
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0),
    ...(plan.Plans ?? []).map(readBy),
  );

describe('the query NEWEST_TOTALS', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
    await service.rows(
      `WITH made AS (
         INSERT INTO collection (collection_id, status, source, correlation_id, started_at, request_hash, exchange, simulated)
         VALUES ('c', 'success', 's', 'c', now(), '', 'one', true) RETURNING id
       )
       INSERT INTO balance_snapshot (collection_ref, captured_at, exchange, simulated, stale, total_row, account_type, quote)
       SELECT id, now() - n * interval '1 minute', CASE n % 2 WHEN 0 THEN 'one' ELSE 'two' END, true, false, true, 'spot', 'USDT'
       FROM made, generate_series(1, 5000) AS n`,
    );
    await service.rows('ANALYZE balance_snapshot');
  });
  afterAll(() => service.close());

  it.each([
    ['a collected account', 'one', 1],
    ['an account that was never collected', 'never', 0],
  ])('reads at most one row for %s', async (_which, name, rows) => {
    const [explained] = await service.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${NEWEST_TOTALS}`,
      [[name]],
    );
    const plan = explained?.['QUERY PLAN'][0].Plan as Plan;
    expect(plan['Actual Rows']).toBe(rows);
    expect(readBy(plan)).toBe(1);
  });
});
