import { systemClock } from '@switchyard/async';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../test/shared-database';
import { ExchangeFailure } from '../../exchange/failure';
import type { AssetBalance, Exchange, Ticker } from '../../exchange/port';
import { createBooks } from '../../exchange/simulated/books';
import { createSimulatedExchange } from '../../exchange/simulated/simulated-exchange';

let database: SharedDatabase;
let service: SharedHarness;

let balances: { assets: Record<string, AssetBalance>; provenEmpty: boolean }[];
let quoted: Record<string, Partial<Ticker> | 'away'>;

const holding = (total: string) => ({ free: total, used: '0', total });
const account = (assets: Record<string, AssetBalance>) => [{ assets, provenEmpty: true }];

beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  quoted = {};
  balances = account({ USDT: holding('1000'), BTC: holding('2') });
  service = await database.start({ context: { exchange: changeable } });
});
afterEach(() => service.close());

const changeable = (db: Parameters<typeof createBooks>[0]): Exchange => {
  const exchange = createSimulatedExchange({ seed: 7, clock: systemClock, books: createBooks(db) });
  return {
    ...exchange,
    balance: async () => ({
      accountType: 'spot',
      ...((balances.length > 1 ? balances.shift() : balances[0]) as (typeof balances)[number]),
    }),
    tickers: async (symbols, signal) => {
      const tickers = await exchange.tickers(symbols, signal);
      for (const [symbol, change] of Object.entries(quoted)) {
        const ticker = tickers.get(symbol);
        if (!ticker || ticker instanceof ExchangeFailure) continue;
        const away = new ExchangeFailure('unavailable', symbol, 'away');
        tickers.set(symbol, change === 'away' ? away : { ...ticker, ...change });
      }
      return tickers;
    },
  };
};

async function collect() {
  const { body } = await service.http.post('/metrics/collect').send({});
  const { items } = (
    await service.http.get(`/metrics/history?kind=balance&collection_id=${body.collection_id}`)
  ).body;
  const total = items.find((item: { total: unknown }) => item.total === true);
  const of = (asset: string) => items.find((item: { asset: unknown }) => item.asset === asset);
  return { body, balance: body.components.account_balance, total, of };
}

const even = (price: string) => ({ bid: price, ask: price, last: price });

describe('an account with an unpriced asset', () => {
  it('has no equity, but reports the value of the other assets and the name of the unpriced asset', async () => {
    quoted = { 'BTC/USDT': 'away' };
    const { body, balance, total } = await collect();
    expect(total).toMatchObject({
      total_equity: null,
      priced_equity: '1000',
      equity_complete: false,
      unpriced_assets: ['BTC'],
    });
    expect(balance).toMatchObject({
      status: 'partial',
      failures: [{ code: 'unpriced', target: 'BTC' }],
    });
    expect(body).toMatchObject({ degraded: true, failed_components: [] });
  });

  it('adds no point to the equity history and no equity metric', async () => {
    quoted = { 'BTC/USDT': even('60000') };
    const { total } = await collect();
    expect(total).toMatchObject({ total_equity: '121000', priced_equity: '121000' });
    quoted = { 'BTC/USDT': 'away' };
    await collect();
    const day = await service.http.get(
      '/metrics/history?kind=balance&asset=&interval=1d&agg=ohlc&start=2000-01-01T00:00:00Z',
    );
    expect(day.body.items).toMatchObject([{ low: '121000', close: '121000' }]);
    const { text } = await service.http.get('/metrics');
    expect(text).not.toMatch(/marketmetrics_equity_quote\{/);
    expect(text).toMatch(/marketmetrics_equity_complete\{exchange="simulated"\} 0/);
  });
});

describe('an empty balance', () => {
  const nothing = { assets: {}, provenEmpty: true };

  it('becomes equity 0 when two reads confirm it after an earlier balance', async () => {
    await collect();
    balances = [nothing, nothing];
    const { balance, total } = await collect();
    expect(balance).toMatchObject({ status: 'ok', data_points: 1, failures: [] });
    expect(total).toMatchObject({ total_equity: '0', quote_free: '0', equity_complete: true });
  });

  it('has no effect if the second read returns assets', async () => {
    await collect();
    balances = [nothing, ...account({ USDT: holding('900') })];
    expect((await collect()).total).toMatchObject({ total_equity: '900' });
  });

  it('makes the component fail if the answer does not prove that the account is empty', async () => {
    await collect();
    balances = [{ assets: {}, provenEmpty: false }];
    expect((await collect()).balance).toMatchObject({
      status: 'failed',
      failures: [{ code: 'malformed' }],
    });
  });
});

describe('an unusual asset', () => {
  it('has no row and makes equity unknown if its amounts are inconsistent', async () => {
    balances = account({ USDT: holding('1000'), BTC: { free: '1', used: '1', total: '5' } });
    const { balance, total, of } = await collect();
    expect(balance).toMatchObject({
      status: 'partial',
      failures: [{ code: 'malformed', target: 'BTC' }],
    });
    expect(of('USDT')).toMatchObject({ total: '1000' });
    expect(total).toMatchObject({ total_equity: null, priced_equity: '1000' });
  });

  it('reduces equity if its amount is negative', async () => {
    quoted = { 'BTC/USDT': even('60000') };
    balances = account({ USDT: holding('-50'), BTC: holding('1') });
    const { balance, total, of } = await collect();
    expect(balance.status).toBe('ok');
    expect(of('USDT')).toMatchObject({ total: '-50', value_in_quote: '-50' });
    expect(total).toMatchObject({ total_equity: '59950', quote_free: '-50' });
  });
});

describe('an unusable price', () => {
  it('marks the asset and equity as stale when the price is a day old', async () => {
    const day = { ...even('60000'), time: Date.now() - 86_400_000 };
    quoted = { 'BTC/USDT': day };
    const { total, of } = await collect();
    expect(of('BTC')).toMatchObject({ value_in_quote: '120000', stale: true });
    expect(of('USDT')).toMatchObject({ stale: false });
    expect(total).toMatchObject({ total_equity: '121000', stale: true });
  });

  it('leaves the asset unpriced when the spread is too wide', async () => {
    quoted = { 'BTC/USDT': { last: '60000', bid: '1', ask: '119000' } };
    const { balance, total } = await collect();
    expect(balance.failures).toMatchObject([{ code: 'unpriced', target: 'BTC' }]);
    expect(total).toMatchObject({ total_equity: null, priced_equity: '1000' });
  });
});
