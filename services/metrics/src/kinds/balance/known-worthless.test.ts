import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { liveSettings } from '../../../test/live-settings';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../test/shared-database';
import { readConfig } from '../../config';
import { ExchangeFailure } from '../../exchange/failure';

let database: SharedDatabase;
let sim: ExchangeSim;
let service: SharedHarness;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  sim = await startExchangeSim({ dialect: DIALECTS.binance as Dialect, seed: 7 });
  sim.account.balances = { USDT: owned('1000') };
});
afterEach(async () => {
  await service.close();
  await sim.close();
});

const owned = (free: string) => ({ free, locked: '0' });
const start = async (more: Record<string, string>) => {
  service = await database.start({
    env: { ...liveSettings(sim), METRICS_SYMBOLS: 'BTC/USDT', ...more },
  });
};
async function collect() {
  const { body } = await service.http.post('/metrics/collect').send({}).expect(200);
  const { items } = (await service.http.get('/metrics/history?kind=balance&limit=10')).body;
  const of = (asset: string | null) =>
    items.find((item: { asset: unknown }) => item.asset === asset);
  return { body, balance: body.components.account_balance, of };
}

describe('an asset in METRICS_IGNORED_ASSETS', () => {
  it('counts as zero, appears as ignored, and leaves equity complete', async () => {
    await start({ METRICS_IGNORED_ASSETS: 'EON, SPAM.TOKEN' });
    sim.account.balances.EON = owned('0.00000001');
    const { body, balance, of } = await collect();
    expect(body.degraded).toBe(false);
    expect(balance).toMatchObject({ status: 'ok', failures: [], ignored: ['EON'] });
    expect(of(null)).toMatchObject({ total_equity: '1000', equity_complete: true });
    expect(of(null).unpriced_assets).toEqual([]);
    expect(of('EON')).toMatchObject({
      ...{ total: '0.00000001', value_in_quote: '0', price_in_quote: null },
      price_source: 'ignored',
    });
    expect((await service.http.get('/risk').expect(200)).body.exposure).toBe(0);
  });

  it('has deposits with the value 0, even if they were stored before the setting changed', async () => {
    const deposit = { type: 'deposit' as const, asset: 'EON', amount: '5' };
    sim.account.transfers = [{ ...deposit, id: 'd1', time: Date.now() - 60_000 }];
    await start({});
    await collect();
    const worth = async () =>
      service.rows(
        'SELECT trim_scale(value_in_quote)::text AS worth FROM transfer ORDER BY transfer_id',
      );
    expect(await worth()).toEqual([{ worth: null }]);
    Object.assign(service.context.config, { ignoredAssets: ['EON'] });
    sim.account.transfers = [{ ...deposit, id: 'd2', time: Date.now() - 30_000 }];
    await collect();
    expect(await worth()).toEqual([{ worth: '0' }, { worth: '0' }]);
  });

  it('cannot be the quote asset', async () => {
    await start({});
    const read = () => readConfig({ ...ENV, METRICS_IGNORED_ASSETS: 'EON,USDT' });
    expect(read).toThrow(/METRICS_IGNORED_ASSETS.*METRICS_QUOTE/);
    expect(() => readConfig({ ...ENV, METRICS_IGNORED_ASSETS: 'E/N' })).toThrow(/an asset such as/);
    expect(() => readConfig({ ...ENV, METRICS_DUST_LIMIT: '-1' })).toThrow(/METRICS_DUST_LIMIT/);
  });
});

const ENV = { DATABASE_URL: 'postgresql://u:p@127.0.0.1/none' };

it('an unpriced asset causes a failure that suggests METRICS_IGNORED_ASSETS', async () => {
  await start({ METRICS_DUST_LIMIT: '1' });
  sim.account.balances.EON = owned('0.00000001');
  const { balance, of } = await collect();
  expect(balance.failures).toMatchObject([{ code: 'unpriced', target: 'EON' }]);
  expect(balance.failures[0].message).toContain('METRICS_IGNORED_ASSETS');
  expect(of(null)).toMatchObject({ total_equity: null, unpriced_assets: ['EON'] });
});

describe('a small balance without a price', () => {
  const widen = () => {
    const { exchange } = service.context;
    const { tickers } = exchange;
    Object.assign(exchange, {
      tickers: async (...asked: Parameters<typeof tickers>) => {
        const found = await tickers(...asked);
        const ticker = found.get('ETH/USDT');
        if (!ticker || ticker instanceof ExchangeFailure) return found;
        return found.set('ETH/USDT', { ...ticker, bid: '100', ask: '5000' });
      },
    });
  };

  it('counts as zero when the ask price proves that it is worth less than METRICS_DUST_LIMIT', async () => {
    await start({ METRICS_DUST_LIMIT: '1' });
    widen();
    sim.account.balances.ETH = owned('0.0001');
    const { balance, of } = await collect();
    expect(balance).toMatchObject({ status: 'ok', ignored: ['ETH'] });
    expect(of('ETH')).toMatchObject({ value_in_quote: '0', price_source: 'dust' });
    expect(of(null).total_equity).toBe('1000');
  });

  it.each([
    ['its ask price allows a higher value', '1', '0.0003'],
    ['no limit is set', '0', '0.0001'],
  ])('makes equity unknown when %s', async (_, limit, amount) => {
    await start({ METRICS_DUST_LIMIT: limit });
    widen();
    sim.account.balances.ETH = owned(amount);
    expect((await collect()).of(null).total_equity).toBeNull();
  });
});

it('Binance Simple Earn balances have the value of the underlying asset', async () => {
  await start({});
  sim.account.balances = {
    USDT: owned('1000'),
    LDUSDT: owned('500'),
    LDBTC: owned('2'),
    LDQ: owned('1'),
  };
  const { balance, of } = await collect();
  expect(balance.failures).toMatchObject([{ code: 'unpriced', target: 'LDQ' }]);
  expect(of('LDUSDT')).toMatchObject({ value_in_quote: '500', price_source: 'as:USDT' });
  const { last } = (await service.http.get('/metrics/history?kind=market&limit=1')).body.items[0];
  expect(Number(of('LDBTC').value_in_quote) / Number(last)).toBeCloseTo(2, 3);
});
