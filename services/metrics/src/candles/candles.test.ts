import { clockAt } from '../../test/harness';
import { openSharedDatabase, type SharedDatabase } from '../../test/shared-database';
import { createBooks } from '../exchange/simulated/books';
import { createSimulatedExchange } from '../exchange/simulated/simulated-exchange';

describe('candles of a process that has already collected', () => {
  let database: SharedDatabase;
  const clock = clockAt('2026-01-05T10:10:00Z');
  let reads = 0;

  const start = () =>
    database.start({
      context: {
        clock,
        exchange: (db) => {
          const exchange = createSimulatedExchange({ seed: 7, clock, books: createBooks(db) });
          return {
            ...exchange,
            candles: (...asked) => {
              reads++;
              return exchange.candles(...asked);
            },
          };
        },
      },
    });
  let one: Awaited<ReturnType<typeof start>>;
  let other: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    database = await openSharedDatabase();
    one = await start();
    other = await start();
    for (let turn = 0; turn < 2; turn++) await collect(one);
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await database.drop();
  });

  const collect = async ({ http }: typeof one) => {
    reads = 0;
    const { body } = await http.post('/metrics/collect').send({});
    expect(body).toMatchObject({ degraded: false });
    return reads;
  };
  const analysed = async () => {
    const { body } = await one.http.get('/metrics/history?kind=regime&symbol=BTC/USDT&limit=1');
    return body.items[0];
  };

  it('come from the exchange once per hour and symbol', async () => {
    clock.forward(3_600_000);
    expect(await collect(one)).toBe(3);
    expect(await collect(one)).toBe(0);
    expect(await analysed()).toMatchObject({
      candles_used: 300,
      last_candle_at: '2026-01-05T10:00:00.000Z',
    });
  });

  it('include those that another process has stored since', async () => {
    clock.forward(3_600_000);
    expect(await collect(other)).toBe(3);
    expect(await collect(one)).toBe(0);
    expect(await analysed()).toMatchObject({
      candles_used: 300,
      last_candle_at: '2026-01-05T11:00:00.000Z',
    });
  });

  it('include the revision that another process has stored of the last one', async () => {
    const close =
      "SELECT close FROM ohlcv_candle WHERE symbol = 'BTC/USDT' ORDER BY open_time DESC";
    const [{ close: before }] = (await one.context.db.pool.query(`${close} LIMIT 1`)).rows;
    await one.context.db.pool.query(
      `UPDATE ohlcv_candle SET close = close * 0.99, low = least(low, close * 0.99)
       WHERE open_time = '2026-01-05T11:00:00Z'`,
    );
    clock.forward(3_600_000);
    await collect(one);
    const { rows } = await one.context.db.pool.query(`${close} OFFSET 1 LIMIT 1`);
    expect(rows).toEqual([{ close: before }]);
  });
});
