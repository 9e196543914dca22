import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { createMarkets, type SimMarket } from '@switchyard/testing/exchange-sim/market';
import { DIALECTS, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { clockAt } from '../../test/harness';
import { openSharedDatabase, type SharedDatabase } from '../../test/shared-database';
import type { Exchange } from '../exchange/port';
import { createBooks } from '../exchange/simulated/books';
import { createSimulatedExchange } from '../exchange/simulated/simulated-exchange';

const HOUR = 3_600_000;

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

const STORED = `SELECT symbol, (extract(epoch FROM open_time) * 1000)::float8 AS at, close::float8 FROM ohlcv_candle
  ORDER BY symbol, open_time`;

async function collectUntilWhole(collect: () => Promise<unknown>, calls: () => number) {
  const counts: number[] = [];
  for (let before = -1; calls() !== before && counts.length < 20; ) {
    before = calls();
    await collect();
    counts.push(calls() - before);
  }
  return counts;
}

describe('candles missing after an outage', () => {
  const clock = clockAt('2026-03-02T00:10:00.000Z');
  let asked: number[];
  let forgotten: (openTime: number) => boolean;

  const forgetful = (db: Parameters<typeof createBooks>[0]): Exchange => {
    const exchange = createSimulatedExchange({ seed: 7, clock, books: createBooks(db) });
    return {
      ...exchange,
      candles: async (...parameters) => {
        const [, , { limit, since }] = parameters;
        const candles = await exchange.candles(...parameters);
        if (since === undefined) return candles;
        asked.push(limit);
        return candles.filter(({ openTime }) => !forgotten(openTime));
      },
    };
  };

  const start = (symbols: string) =>
    database.start({
      context: { clock, exchange: forgetful },
      env: { METRICS_SYMBOLS: symbols },
    });

  beforeEach(() => {
    clock.set('2026-03-02T00:10:00.000Z');
    asked = [];
    forgotten = () => false;
  });

  it('arrive with the next collections, in at most four requests per collection', async () => {
    const service = await start('BTC/USDT,ETH/USDT');
    const collect = () => service.http.post('/metrics/collect').send({}).expect(200);
    await collect();
    clock.forward(1500 * HOUR);
    await collect();
    expect(asked).toEqual([]);
    const counts = await collectUntilWhole(collect, () => asked.length);
    const rows = (await service.rows(STORED)) as { symbol: string; at: number; close: number }[];
    await service.close();
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
    expect(asked).toHaveLength(2 * 5);
    for (const symbol of ['BTC/USDT', 'ETH/USDT']) {
      const own = rows.filter((row) => row.symbol === symbol);
      expect(own).toHaveLength(1800);
      expect(own.every(({ at }, index) => at === (own[0]?.at ?? 0) + index * HOUR)).toBe(true);
    }
  });

  it('cause only one request, and a reason in the regime, if the exchange no longer has the candles', async () => {
    const service = await start('BTC/USDT');
    const collect = () => service.http.post('/metrics/collect').send({}).expect(200);
    await collect();
    const regime = async () => (await service.http.get('/regime/current')).body.items[0];
    expect((await regime()).reasons).not.toContain('history_has_holes');
    const [from, to] = [Date.UTC(2026, 2, 1, 2), Date.UTC(2026, 2, 1, 12)];
    await service.rows(
      `DELETE FROM ohlcv_candle WHERE open_time >= to_timestamp(${from / 1000}) AND open_time < to_timestamp(${to / 1000})`,
    );
    service.context.collector.forgetCandles();
    forgotten = (openTime) => openTime >= from && openTime < to;
    const { exchange } = service.context;
    const { candles } = exchange;
    Object.assign(exchange, {
      candles: async (...parameters: Parameters<Exchange['candles']>) =>
        (await candles(...parameters)).filter(({ openTime }) => !forgotten(openTime)),
    });
    clock.forward(HOUR);
    await collectUntilWhole(collect, () => asked.length);
    const { label, reasons } = await regime();
    await service.close();
    expect(asked).toEqual([10]);
    expect(reasons).toContain('history_has_holes');
    expect(label).not.toBe('unknown');
  });
});

describe.each(Object.keys(DIALECTS))('candles since a time on %s', (id) => {
  it('returns the requested page of older candles', async () => {
    const clock = clockAt(new Date().toISOString());
    const now = () => clock.now().getTime();
    const sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7, now });
    const service = await database.start({
      context: { clock },
      env: {
        EXCHANGE_MODE: 'live',
        EXCHANGE_ID: id,
        EXCHANGE_BASE_URL: sim.url,
      },
    });
    const since = Math.floor(now() / HOUR) * HOUR - 600 * HOUR;
    const { exchange } = service.context;
    const signal = AbortSignal.timeout(15_000);
    const candles = await exchange.candles('BTC/USDT', '1h', { limit: 250, since }, signal);
    await service.close();
    await sim.close();
    const [market] = createMarkets(7) as [SimMarket];
    const expected = market.candlesFrom('1h', since, 250, now());
    const within = candles.filter(({ openTime }) => openTime < since + 250 * HOUR);
    expect(within.map(({ openTime, close }) => [openTime, Number(close)])).toEqual(
      expected.map(({ openTime, close }) => [openTime, Number(close)]),
    );
  });
});
