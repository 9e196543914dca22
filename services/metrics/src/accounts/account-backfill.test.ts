import { createMarkets, type SimMarket } from '@switchyard/testing/exchange-sim/market';
import type { ExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { clockAt, type Harness, startHarness } from '../../test/harness';
import { useTwoAccounts } from '../../test/two-accounts';

const HOUR = 3_600_000;
const SEEDS = { main: 7, second: 8 };

describe('missing candles of several accounts', () => {
  const clock = clockAt(`${new Date().toISOString().slice(0, 10)}T00:10:00.000Z`);
  const now = () => clock.now().getTime();
  const accounts = useTwoAccounts({ now, seeds: SEEDS });
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock }, env: accounts.env() });
  });
  afterAll(() => service.close());

  const collect = () => {
    clock.forward(60_000);
    return service.http.post('/metrics/collect').send({}).expect(200);
  };
  const stored = (account: string) =>
    service.rows<{ at: number; close: number }>(
      `SELECT extract(epoch FROM open_time)::float8 * 1000 AS at, close::float8 FROM ohlcv_candle
       WHERE exchange LIKE '%#${account}' ORDER BY open_time`,
    );
  const pagesOf = ({ requests }: ExchangeSim) =>
    requests.filter((request) => /klines.*startTime/.test(request)).length;

  it('can be fetched for one account while the exchange of another account is unavailable', async () => {
    await collect();
    clock.forward(1_000 * HOUR);
    accounts.second.fail('503', 'klines');
    for (let again = 0; again < 4; again++) await collect();
    expect(await stored('main')).toHaveLength(1_300);
    expect(await stored('second')).toHaveLength(300);
    accounts.second.fail(null);
    for (let again = 0; again < 4; again++) await collect();
    for (const [account, seed] of Object.entries(SEEDS)) {
      const rows = await stored(account);
      const first = Number(rows[0]?.at);
      const [market] = createMarkets(seed) as [SimMarket];
      const truth = market.candlesFrom('1h', first, 1_300, now());
      expect(rows).toEqual(
        truth.map(({ openTime, close }) => ({ at: openTime, close: Number(close) })),
      );
    }
    const asked = [accounts.main, accounts.second].map(pagesOf);
    expect(asked).toEqual([3, 3]);
    await collect();
    expect([accounts.main, accounts.second].map(pagesOf)).toEqual(asked);
  });
});
