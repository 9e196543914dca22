import { clockAt } from '../../test/harness';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../test/shared-database';
import { ExchangeFailure } from '../exchange/failure';
import type { Exchange, Transfer } from '../exchange/port';
import { createBooks } from '../exchange/simulated/books';
import { createSimulatedExchange } from '../exchange/simulated/simulated-exchange';
import { rollUp } from '../history/roll-up';

const HOUR = 3_600_000;

let held: Record<string, string>;
let price: string;
let moved: Transfer[];
let away: ExchangeFailure | null;

const clock = clockAt('2026-03-02T10:00:00.000Z');
let database: SharedDatabase;
let service: SharedHarness;

const settable = (db: Parameters<typeof createBooks>[0]): Exchange => {
  const exchange = createSimulatedExchange({ seed: 7, clock, books: createBooks(db) });
  return {
    ...exchange,
    balance: async () => ({
      accountType: 'spot',
      provenEmpty: true,
      assets: Object.fromEntries(
        Object.entries(held).map(([asset, total]) => [asset, { free: total, used: '0', total }]),
      ),
    }),
    tickers: async (symbols, signal) => {
      const tickers = await exchange.tickers(symbols, signal);
      const ticker = tickers.get('BTC/USDT');
      if (!ticker || ticker instanceof ExchangeFailure) return tickers;
      const time = clock.now().getTime();
      const even = { ...ticker, time, bid: price, ask: price, last: price };
      return new Map([...tickers, ['BTC/USDT', even]]);
    },
    transfers: async (since) => {
      if (away) throw away;
      const until = clock.now().getTime();
      const transfers = moved.filter(({ time }) => time >= since && time <= until);
      return { transfers, failures: [], until, isWhole: true };
    },
  };
};

beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  clock.set('2026-03-02T10:00:00.000Z');
  held = { USDT: '1000', BTC: '1' };
  price = '50000';
  moved = [];
  away = null;
  const context = { clock, exchange: settable };
  service = await database.start({ context, env: { METRICS_SYMBOLS: 'BTC/USDT' } });
});
afterEach(() => service.close());

const collect = async () =>
  (await service.http.post('/metrics/collect').send({}).expect(200)).body.components.transfers;
const account = async (query = '') => (await service.http.get(`/profit${query}`)).body.account;

let count = 0;
const move = (type: Transfer['type'], asset: string, amount: string, more = {}): Transfer => {
  const time = clock.now().getTime() - 60_000;
  const fees = { fee: '0', feeAsset: null };
  const one = {
    transferId: `t${++count}`,
    type,
    status: 'ok' as const,
    asset,
    amount,
    ...fees,
    time,
  };
  const made = { ...one, ...more };
  moved.push(made);
  return made;
};

describe('account profit', () => {
  it('values deposits and withdrawals at the price when they occurred, and excludes them from the result', async () => {
    await collect();
    clock.forward(24 * HOUR);
    held = { USDT: '2499.5', BTC: '1.1' };
    move('deposit', 'USDT', '2000');
    move('withdrawal', 'USDT', '500', { fee: '0.5', feeAsset: 'USDT' });
    move('deposit', 'BTC', '0.1');
    expect(await collect()).toMatchObject({ status: 'ok', data_points: 3 });
    clock.forward(24 * HOUR);
    price = '60000';
    expect(await collect()).toMatchObject({ status: 'ok', data_points: 0 });
    const days = await account();
    expect(days).toMatchObject([
      {
        equity_start: '51000',
        equity_end: '57499.5',
        transfers: '6500',
        result: '-0.5',
        fees: '0.5',
        other: '0',
      },
      { transfers: '0', result: '11000', fees: '0', other: '11000' },
    ]);
    const march = { equity_start: '51000', transfers: '6500', result: '10999.5' };
    expect(await account('?interval=1M')).toMatchObject([march]);
    clock.set('2026-04-02T10:00:00.000Z');
    await collect();
    expect(await account('?interval=1M')).toMatchObject([march, { transfers: '0', result: '0' }]);
    expect(await account('?grid_id=none')).toEqual([]);
  });

  it('begins after the last total in another quote asset, even after the roll-up', async () => {
    await collect();
    await service.rows("UPDATE balance_snapshot SET quote = 'EUR'");
    clock.forward(24 * HOUR);
    held = { USDT: '2000' };
    await collect();
    clock.forward(24 * HOUR);
    held = { USDT: '2100' };
    await collect();
    const risk = async () => (await service.http.get('/risk')).body.drawdown;
    const read = async () => [await account(), await risk()];
    const expected = [
      [expect.objectContaining({ equity_start: '2000', result: '100', quote: 'USDT' })],
      expect.objectContaining({ worst: 0, current: 0, peak: '2100' }),
    ];
    expect(await read()).toEqual(expected);
    clock.forward(2 * HOUR);
    await rollUp(service.context);
    expect(await read()).toEqual(expected);
    const last = 'SELECT max(captured_at) FROM balance_snapshot';
    await service.rows(`DELETE FROM balance_snapshot WHERE captured_at < (${last})`);
    expect(await read()).toEqual(expected);
  });

  it('stays unknown while transfers cannot be read', async () => {
    await collect();
    clock.forward(24 * HOUR);
    held = { USDT: '3000', BTC: '1' };
    move('deposit', 'USDT', '2000');
    away = new ExchangeFailure('unavailable', 'transfers', 'away');
    expect(await collect()).toMatchObject({ status: 'failed' });
    expect(await account()).toMatchObject([{ transfers: null, result: null, other: null }]);
    away = null;
    clock.forward(HOUR);
    await collect();
    expect(await account()).toMatchObject([{ transfers: '2000', result: '0' }]);
  });

  it('stays unknown until every transfer has a price', async () => {
    await collect();
    clock.forward(24 * HOUR);
    move('deposit', 'LUNA', '3');
    await collect();
    expect(await account()).toMatchObject([{ transfers: null, result: null }]);
    for (const one of moved) one.asset = 'ETH';
    await service.rows("UPDATE transfer SET asset = 'ETH'");
    clock.forward(HOUR);
    await collect();
    expect((await account())[0].transfers).toMatch(/^\d+(\.\d+)?$/);
  });

  it('counts a deposit when it is completed, and a withdrawal immediately unless it fails', async () => {
    await collect();
    clock.forward(24 * HOUR);
    const [coming] = [move('deposit', 'USDT', '70', { status: 'pending' })];
    const going = move('withdrawal', 'USDT', '30', { status: 'pending' });
    await collect();
    expect(await account()).toMatchObject([{ transfers: '-30' }]);
    coming.status = 'ok';
    going.status = 'failed';
    clock.forward(HOUR);
    await collect();
    expect(await account()).toMatchObject([{ transfers: '70' }]);
    const { items } = (
      await service.http.get('/metrics/history?kind=transfer&start=2026-03-01T00:00:00Z')
    ).body;
    expect(items.map(({ status }: { status: string }) => status).sort()).toEqual(['failed', 'ok']);
  });

  it('causes no degraded collection if the key lacks permission to read transfers', async () => {
    away = new ExchangeFailure('permission', 'transfers', 'no');
    const { body } = await service.http.post('/metrics/collect').send({});
    expect(body).toMatchObject({
      degraded: false,
      components: { transfers: { status: 'skipped' } },
    });
  });

  it('still includes the transfers of a deleted collection', async () => {
    move('deposit', 'USDT', '70');
    await collect();
    await service.rows('DELETE FROM collection');
    expect(await service.rows('SELECT amount::float8 FROM transfer')).toEqual([{ amount: 70 }]);
  });
});
