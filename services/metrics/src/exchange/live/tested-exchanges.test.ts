import { silentLogger } from '@switchyard/server';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { clockAt, recordingLogger } from '../../../test/harness';
import { openSharedDatabase, type SharedDatabase } from '../../../test/shared-database';
import { decimal } from '../../decimal';
import { TESTED_EXCHANGES } from '../config';
import { loadLibrary } from './library';
import { marketOf } from './market-of';

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

const environmentOf = (id: string, sim: ExchangeSim) => ({
  EXCHANGE_MODE: 'live',
  EXCHANGE_ID: id,
  EXCHANGE_BASE_URL: sim.url,
  METRICS_COLLECTION_TIMEOUT_MS: '190000',
});

it('DIALECTS contains exactly the tested exchanges', () => {
  expect(Object.keys(DIALECTS).sort()).toEqual([...TESTED_EXCHANGES].sort());
});

describe.each(TESTED_EXCHANGES)('the service with %s', (id) => {
  let sim: ExchangeSim;
  beforeEach(async () => {
    sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7 });
  });
  afterEach(() => sim.close());

  it('collects all components', async () => {
    const { apiKey, secret, password } = sim.account;
    const keys = {
      EXCHANGE_API_KEY: apiKey,
      EXCHANGE_API_SECRET: secret,
      EXCHANGE_API_PASSWORD: password,
    };
    const service = await database.start({ env: { ...environmentOf(id, sim), ...keys } });
    const { body } = await service.http.post('/metrics/collect').send({});
    const failures = Object.values(body.components).flatMap(
      (part) => (part as typeof body).failures,
    );
    const untold = id === 'coinbase' ? [{ code: 'not_supported', target: 'transfers' }] : [];
    expect(failures).toMatchObject(untold);
    expect(body).toMatchObject({ degraded: false, data_points_collected: 10 });
    const { items } = (await service.http.get('/metrics/history?kind=balance&asset=USDT')).body;
    expect(items).toMatchObject([{ free: '10000.5', used: '250', total: '10250.5' }]);
    const grid = await service.http.post('/grids/create').send({
      ...{ name: 'g', symbol: 'BTC/USDT', lower_price: 30_000, upper_price: 120_000.004 },
      ...{ grid_count: 7, total_quote: 9_000 },
    });
    expect([grid.status, grid.body.levels?.length]).toEqual([201, 8]);
    expect(grid.body.levels[1].price).toBe('42857.14');
    expect((await service.http.get('/health')).body.components.exchange).not.toHaveProperty('note');
    await service.close();
  });

  it('collects markets without a key', async () => {
    const service = await database.start({ env: environmentOf(id, sim) });
    const { body } = await service.http.post('/metrics/collect').send({});
    await service.close();
    expect(body).toMatchObject({
      components: {
        market_data: { status: 'ok', data_points: 3 },
        regime_analysis: { status: 'ok', data_points: 3 },
      },
    });
  });
});

describe('an untested exchange', () => {
  it('causes a note in the log and in the health check', async () => {
    const { logger, lines } = recordingLogger();
    const env = { EXCHANGE_MODE: 'live', EXCHANGE_ID: 'bitfinex' };
    const service = await database.start({ env, context: { logger } });
    const { body } = await service.http.get('/health');
    await service.close();
    expect(body.components.exchange.note).toMatch(/bitfinex is untested/);
    expect(lines.join()).toMatch(/bitfinex is untested/);
  });

  it('has prices rounded to significant digits if its market precision counts significant digits', () => {
    const ccxt = loadLibrary('bitfinex', (text) => text).create({});
    ccxt.number = String as never;
    const precision = { price: '5', amount: '8' };
    const limits = { amount: { min: '0.00004' }, cost: {} };
    const listed = { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', precision, limits };
    ccxt.markets = { 'BTC/USDT': { id: 'tBTCUST', type: 'spot', ...listed } } as never;
    const market = marketOf(ccxt, 'BTC/USDT');
    const prices = ['64123.456', '0.123456', '1.00004'].map(decimal);
    expect(prices.map((price) => market.roundPrice(price).toFixed())).toEqual([
      '64123',
      '0.12346',
      '1',
    ]);
    expect(prices.map((price) => market.tickAt(price))).toEqual(['1', '0.00001', '0.0001']);
    expect(market.cutAmount(decimal('0.123456789')).toFixed()).toBe('0.12345678');
    expect(market.cutAmount(decimal('0.000000001')).toFixed()).toBe('0');
    expect(market).toMatchObject({ minAmount: '0.00004', minCost: '0.00000001' });
  });
});

describe('a live exchange', () => {
  it('reloads its markets every hour, so that new markets appear and delisted markets disappear', async () => {
    const clock = clockAt(new Date().toISOString());
    const binance = DIALECTS.binance as Dialect;
    let unlisted = 'ETH/USDT';
    const sim = await startExchangeSim({
      dialect: ({ markets, ...world }, request) =>
        binance(
          { ...world, markets: markets.filter(({ symbol }) => symbol !== unlisted) },
          request,
        ),
      seed: 7,
      now: () => clock.now().getTime(),
    });
    const env = { ...environmentOf('binance', sim), METRICS_SYMBOLS: 'BTC/USDT' };
    const service = await database.start({ env, context: { clock, logger: silentLogger } });
    const lists = () => sim.asked.filter((path) => path.endsWith('exchangeInfo')).length;
    const collect = () => service.http.post('/metrics/collect').send({});
    const listed = async () => {
      const { exchange } = service.context;
      const asked = AbortSignal.timeout(60_000);
      return [...(await exchange.markets(['ETH/USDT', 'SOL/USDT'], asked)).keys()];
    };
    await collect();
    await collect();
    expect([lists(), await listed()]).toEqual([1, ['SOL/USDT']]);
    unlisted = 'SOL/USDT';
    clock.forward(3_600_000);
    await collect();
    expect([lists(), await listed()]).toEqual([2, ['ETH/USDT']]);
    sim.fail('503', 'exchangeInfo');
    clock.forward(3_600_000);
    const { body } = await collect();
    await service.close();
    await sim.close();
    expect(body.components.market_data).toMatchObject({ status: 'ok' });
  });
});

const library = loadLibrary('binance', (text) => text);

async function refusal(status: number, code: number) {
  const ccxt = library.create({ apiKey: 'key', secret: 'secret' });
  const answers = [
    new Response('{"balances":[]}', { status: 200 }),
    new Response(JSON.stringify({ code, msg: 'refused' }), { status }),
  ];
  ccxt.fetchImplementation = async () => answers.shift();
  const ask = (ccxt as unknown as Record<string, () => Promise<unknown>>).privateGetAccount;
  await ask?.call(ccxt);
  return ask?.call(ccxt).catch((error) => library.failureOf(error, 'balance').code);
}

it.each([
  [401, -1002, 'auth'],
  [400, -1022, 'auth'],
  [401, -1099, 'auth'],
  [401, -2008, 'auth'],
  [401, -2014, 'auth'],
  [401, -2015, 'auth'],
  [400, -1003, 'rate_limited'],
  [400, -1015, 'rate_limited'],
  [400, -1000, 'unavailable'],
  [400, -1001, 'unavailable'],
])('failureOf() maps Binance HTTP %i with code %i to %s', async (status, code, expected) => {
  expect(await refusal(status, code)).toBe(expected);
});

it('failureOf() maps an unknown Binance error to malformed, and quotes the beginning of the response', async () => {
  const ccxt = library.create({});
  const body = JSON.stringify({ code: -9999, msg: `odd ${'x'.repeat(500)}` });
  ccxt.fetchImplementation = async () => new Response(body, { status: 200 });
  const failure = await ccxt
    .fetchTime()
    .then(() => null)
    .catch((error) => library.failureOf(error, 'clock'));
  expect(failure).toMatchObject({ code: 'malformed', target: 'clock' });
  expect(failure?.message).toMatch(/^binance \{"code":-9999,"msg":"odd x+…$/);
  expect(failure?.message.length).toBeLessThan(110);
});
