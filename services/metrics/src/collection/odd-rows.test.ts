import { clockAt } from '../../test/harness';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../test/shared-database';
import type { AssetBalance, Candle, Exchange, Transfer } from '../exchange/port';
import { createBooks } from '../exchange/simulated/books';
import { createSimulatedExchange } from '../exchange/simulated/simulated-exchange';

const HOUR = 3_600_000;
const clock = clockAt('2026-01-05T10:00:00Z');

let change: (candles: Candle[]) => Candle[];
let assets: Record<string, AssetBalance> | null;
let transfers: Transfer[];

const changed = (db: Parameters<typeof createBooks>[0]): Exchange => {
  const exchange = createSimulatedExchange({ seed: 7, clock, books: createBooks(db) });
  const altered = (symbol: string, candles: Candle[]) =>
    symbol === 'BTC/USDT' ? change(candles) : candles;
  return {
    ...exchange,
    candles: async (symbol, ...rest) => altered(symbol, await exchange.candles(symbol, ...rest)),
    balance: async (signal) => {
      const balance = await exchange.balance(signal);
      return assets ? { ...balance, assets } : balance;
    },
    transfers: async () => ({ transfers, failures: [], until: exchange.time(), isWhole: true }),
  };
};

let database: SharedDatabase;
let service: SharedHarness;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  clock.set('2026-01-05T10:00:00Z');
  change = (candles) => candles;
  assets = null;
  transfers = [];
  service = await database.start({ context: { clock, exchange: changed } });
});
afterEach(() => service.close());

async function collect() {
  const { body } = await service.http.post('/metrics/collect').send({}).expect(200);
  const listed = await service.http.get(
    `/metrics/history?collection_id=${body.collection_id}&limit=1000`,
  );
  expect(listed.body.items).toHaveLength(body.data_points_collected);
  return body.components;
}
const candlesStored = async () =>
  (await service.rows(`SELECT 1 FROM ohlcv_candle WHERE symbol = 'BTC/USDT'`)).length;

const altering =
  (place: number, alter: (candle: Candle) => Candle[]) =>
  (candles: Candle[]): Candle[] =>
    candles.flatMap((candle, index) =>
      index === candles.length - place ? alter(candle) : [candle],
    );

const holding = (total: string) => ({ free: total, used: '0', total });

describe('the collection of candles', () => {
  it('stores a repeated candle once', async () => {
    change = altering(30, (candle) => [candle, { ...candle }]);
    expect(await collect()).toMatchObject({
      account_balance: { status: 'ok' },
      regime_analysis: { status: 'ok', data_points: 3, failures: [] },
    });
    expect(await candlesStored()).toBe(300);
    const body = { symbol: 'BTC/USDT', timeframe: '5m' };
    await service.http.post('/regime/analyze').send(body).expect(200);
  });

  it.each([
    ['a high below its low', { high: '1' }],
    ['a price of 0', { close: '0' }],
    ['no price', { open: 'undefined' }],
    ['no time', { openTime: Number.NaN }],
  ])('drops and reports a candle with %s, but stores all other candles', async (_, odd) => {
    change = altering(30, (candle) => [{ ...candle, ...odd }]);
    const { regime_analysis } = await collect();
    expect(regime_analysis).toMatchObject({
      status: 'partial',
      data_points: 3,
      failures: [{ code: 'malformed', target: 'BTC/USDT' }],
    });
    expect(regime_analysis.failures[0].message).toMatch(/^1 malformed candle .* is left out$/);
    expect(await candlesStored()).toBe(299);
  });

  it('drops two candles that have the same time and different values', async () => {
    change = altering(30, (candle) => [candle, { ...candle, volume: '1' }]);
    expect((await collect()).regime_analysis).toMatchObject({ status: 'partial', data_points: 3 });
    expect(await candlesStored()).toBe(299);
  });

  it('stores a dropped candle when the exchange later returns valid values', async () => {
    change = altering(30, (candle) => [{ ...candle, close: '0' }]);
    await collect();
    change = (candles) => candles;
    clock.forward(HOUR);
    expect((await collect()).regime_analysis).toMatchObject({ status: 'ok', failures: [] });
    expect(await candlesStored()).toBe(301);
  });

  it('fails for a symbol whose candles are all invalid', async () => {
    change = (candles) => candles.map((candle) => ({ ...candle, close: '0' }));
    expect((await collect()).regime_analysis).toMatchObject({ status: 'partial', data_points: 2 });
  });
});

it.each([
  ['a lone surrogate', 'X\ud800'],
  ['a NUL character', 'X\0'],
  ['too many characters for an index', 'X'.repeat(5_000)],
])(
  'a collection drops and reports an asset whose name has %s, and stores the other assets',
  async (_, name) => {
    assets = { USDT: holding('1000'), [name]: holding('1') };
    const { account_balance } = await collect();
    expect(account_balance).toMatchObject({ status: 'partial', data_points: 2 });
    expect(account_balance.failures).toMatchObject([{ code: 'malformed' }]);
    expect(account_balance.failures[0].target).toMatch(/^X/);
  },
);

it('a collection stores a transfer without a value if the value is too large', async () => {
  const deposit = (transferId: string, amount: string): Transfer => ({
    ...{
      transferId,
      amount,
      type: 'deposit',
      status: 'ok',
      asset: 'BTC',
      fee: '0',
      feeAsset: null,
    },
    time: clock.now().getTime(),
  });
  transfers = [deposit('d1', '90000000000000000000'), deposit('d2', '1')];
  expect((await collect()).transfers).toMatchObject({ status: 'ok', data_points: 2 });
  const rows = await service.rows(
    'SELECT transfer_id, value_in_quote IS NULL AS unpriced FROM transfer ORDER BY transfer_id',
  );
  expect(rows).toEqual([
    { transfer_id: 'd1', unpriced: true },
    { transfer_id: 'd2', unpriced: false },
  ]);
});

describe('a row that the database rejects', () => {
  const refuse = (table: string, condition: string) =>
    service.asOwner(`ALTER TABLE ${table} ADD CONSTRAINT odd CHECK (${condition}) NOT VALID`);
  const accept = (table: string) => service.asOwner(`ALTER TABLE ${table} DROP CONSTRAINT odd`);

  it.each([
    ['market_snapshot', "symbol <> 'ETH/USDT'", 'market_data', 'ETH/USDT', 2],
    ['balance_snapshot', "asset <> 'BTC'", 'account_balance', 'BTC', 4],
    ['regime_snapshot', "symbol <> 'SOL/USDT'", 'regime_analysis', 'SOL/USDT', 2],
    ['ohlcv_candle', "symbol <> 'SOL/USDT'", 'regime_analysis', 'SOL/USDT', 3],
  ])(
    'causes a failure, while everything else is stored: %s',
    async (table, condition, part, target, points) => {
      await refuse(table, condition);
      const components = await collect().finally(() => accept(table));
      const { [part]: odd, ...others } = components;
      expect(odd).toMatchObject({
        status: 'partial',
        data_points: points,
        failures: [{ code: 'malformed', target, retryable: false }],
      });
      for (const [name, { status }] of Object.entries<{ status: string }>(others)) {
        expect([name, status]).not.toEqual([name, 'failed']);
        expect([name, status]).not.toEqual([name, 'partial']);
      }
      const [{ count }] = (await service.rows(
        `SELECT count(DISTINCT symbol)::int AS count FROM ohlcv_candle`,
      )) as [{ count: number }];
      expect(count).toBe(table === 'ohlcv_candle' ? 2 : 3);
    },
  );
});
