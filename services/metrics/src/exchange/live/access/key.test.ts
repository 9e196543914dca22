import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { clockAt, type MovableClock, recordingLogger } from '../../../../test/harness';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../../test/shared-database';
import { readConfig } from '../../../config';
import { exchangeName, type LiveExchangeConfig, TESTED_EXCHANGES } from '../../config';
import { connect } from '../connect';
import { readerOf } from './answers/answers';

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

const environmentOf = (id: string, { url, account }: ExchangeSim): Record<string, string> => ({
  EXCHANGE_MODE: 'live',
  EXCHANGE_ID: id,
  EXCHANGE_BASE_URL: url,
  EXCHANGE_API_KEY: account.apiKey,
  EXCHANGE_API_SECRET: account.secret,
  EXCHANGE_API_PASSWORD: account.password,
  METRICS_COLLECTION_TIMEOUT_MS: '190000',
});

describe.each(TESTED_EXCHANGES)('an API key of %s', (id) => {
  let clock: MovableClock;
  let sim: ExchangeSim;
  let service: SharedHarness;
  let lines: string[];
  beforeEach(async () => {
    clock = clockAt(new Date().toISOString());
    const now = () => clock.now().getTime();
    sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7, now });
    const log = recordingLogger();
    lines = log.lines;
    const context = { clock, logger: log.logger };
    service = await database.start({ env: environmentOf(id, sim), context });
  });
  afterEach(async () => {
    await service.close();
    await sim.close();
  });

  const collect = () => service.http.post('/metrics/collect').send({});
  const health = async () => {
    const { status, body } = await service.http.get('/health');
    return { ...body.components.exchange, http: status };
  };

  it('causes no warning when it can only read, and is checked again after a day', async () => {
    expect((await collect()).status).toBe(200);
    const { key } = await health();
    expect(key).toMatchObject({ may_trade: false, may_withdraw: false, warnings: [] });
    const page = (await service.http.get('/metrics')).text;
    expect(page).toMatch(/marketmetrics_exchange_key_may\{action="trade"\} 0/);
    sim.account.permissions.withdraw = true;
    expect((await collect()).status).toBe(200);
    clock.forward(86_400_000);
    expect((await collect()).status).toBe(500);
  });

  it('causes warnings when it can trade or works from any address', async () => {
    sim.account.permissions.trade = true;
    sim.account.boundTo = null;
    expect((await collect()).status).toBe(200);
    const { key, http } = await health();
    expect([http, key.may_trade]).toEqual([200, true]);
    expect(key.warnings[0]).toMatch(/may trade/);
    expect(key.warnings).toHaveLength(id === 'coinbase' ? 1 : 2);
    expect(lines.join()).toMatch(/the API key may trade/);
    const { warnings } = (await service.http.get('/dashboard/state')).body;
    expect(warnings).toEqual(key.warnings);
  });

  it('makes collections fail with a configuration error while it can withdraw', async () => {
    sim.account.permissions.withdraw = true;
    const { status, body } = await collect();
    expect([status, body.error]).toEqual([
      500,
      'configuration: the API key may withdraw or transfer: create a read-only key',
    ]);
    expect(await service.rows('SELECT 1 FROM balance_snapshot')).toEqual([]);
    expect(await health()).toMatchObject({
      http: 500,
      problem: expect.stringMatching(/may withdraw/),
    });
    const page = (await service.http.get('/metrics')).text;
    expect(page).toMatch(/marketmetrics_exchange_key_may\{action="withdraw"\} 1/);
    sim.account.permissions.withdraw = false;
    clock.forward(61_000);
    await service.context.exchange.checkKey(AbortSignal.timeout(10_000));
    expect((await collect()).status).toBe(200);
  });

  it('causes the failure `auth`, not `rate_limited`, when the exchange rejects the key after a success', async () => {
    expect((await collect()).body.components.account_balance.status).toBe('ok');
    sim.account.apiKey = 'another';
    expect((await collect()).body.components.account_balance).toMatchObject({
      status: 'failed',
      failures: [{ code: 'auth', retryable: false, attempts: 1 }],
    });
  });

  it('causes a warning when its permissions cannot be read', async () => {
    sim.fail('503', PERMISSION_PATHS[id]);
    expect((await collect()).status).toBe(200);
    const { key } = await health();
    expect(key).toMatchObject({ may_trade: null, may_withdraw: null, checked_at: null });
    expect(key.warnings[0]).toMatch(/not known/);
  });
});

it.each(TESTED_EXCHANGES)(
  'an API key of %s cannot sign requests that trade or move money',
  async (id) => {
    const sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7 });
    const { exchange } = readConfig({ DATABASE_URL: 'postgresql://x', ...environmentOf(id, sim) });
    const config = exchange as LiveExchangeConfig;
    const connection = connect({
      config,
      timeoutMs: 10_000,
      now: Date.now,
      observe: () => undefined,
    });
    const ccxt = await connection.ready(AbortSignal.timeout(60_000));
    const before = sim.asked.length;
    const attempts = [
      () => ccxt.createOrder('BTC/USDT', 'limit', 'buy', 1, 50_000),
      () => ccxt.cancelOrder('1', 'BTC/USDT'),
      () => ccxt.cancelAllOrders('BTC/USDT'),
      () => ccxt.withdraw('BTC', 1, 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh', undefined, MORE),
      () => ccxt.transfer('BTC', 1, 'spot', 'funding'),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toThrow();
    }
    expect(sim.asked.slice(before).filter((path) => !isReadPath(id, path))).toEqual([]);
    await sim.close();
  },
);

const MORE = { key: 'book', network: 'BTC', chain: 'BTC', fee: 0.0001, pwd: 'x' };

const PERMISSION_PATHS: Record<string, string> = {
  binance: 'apiRestrictions',
  bybit: 'query-api',
  coinbase: 'key_permissions',
  kraken: 'GetApiKeyInfo',
  okx: 'account/config',
};

const isReadPath = (id: string, path: string) =>
  readerOf(id, 'GET', path) !== null || readerOf(id, 'POST', path) !== null;

describe('readerOf', () => {
  it.each([
    ['binance', 'POST', '/api/v3/order'],
    ['binance', 'DELETE', '/api/v3/order'],
    ['binance', 'POST', '/sapi/v1/capital/withdraw/apply'],
    ['bybit', 'POST', '/v5/order/create'],
    ['bybit', 'POST', '/v5/asset/withdraw/create'],
    ['coinbase', 'POST', '/api/v3/brokerage/orders'],
    ['coinbase', 'POST', '/v2/accounts/1/transactions'],
    ['kraken', 'POST', '/0/private/AddOrder'],
    ['kraken', 'POST', '/0/private/Withdraw'],
    ['okx', 'POST', '/api/v5/trade/order'],
    ['okx', 'POST', '/api/v5/asset/withdrawal'],
    ['mexc', 'POST', '/api/v3/order'],
    ['bitfinex', 'POST', '/v2/auth/w/order/submit'],
    ['gemini', 'POST', '/v1/order/new'],
  ])(
    'returns null for the %s request %s %s, which could trade or move money',
    (id, method, path) => {
      expect(readerOf(id, method, path)).toBeNull();
    },
  );
});

describe('readConfig', () => {
  const read = (more: Record<string, string>) =>
    readConfig({
      DATABASE_URL: 'postgresql://x',
      EXCHANGE_MODE: 'live',
      EXCHANGE_ID: 'binance',
      ...more,
    });
  const file = (text: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'key-')), 'key');
    writeFileSync(path, text);
    return path;
  };

  it('reads keys from files without the trailing newline', () => {
    const { exchange, exchangeProblem } = read({
      EXCHANGE_API_KEY_FILE: file('the-key\n'),
      EXCHANGE_API_SECRET_FILE: file('-----BEGIN EC PRIVATE KEY-----\\nabc\\n-----END-----\n'),
    });
    expect(exchangeProblem).toBeNull();
    expect(exchange).toMatchObject({
      apiKey: 'the-key',
      secret: '-----BEGIN EC PRIVATE KEY-----\nabc\n-----END-----',
    });
  });

  it.each([
    [{ EXCHANGE_MODE: 'testnet', EXCHANGE_ID: 'kraken' }, /EXCHANGE_ID must be one of .* testnet/],
    [
      { EXCHANGE_MODE: 'testnet', EXCHANGE_BASE_URL: 'http://127.0.0.1:1' },
      'EXCHANGE_BASE_URL must not be set in testnet mode',
    ],
  ])('rejects %j', (env, problem) => {
    expect(read(env as Record<string, string>).exchangeProblem).toMatch(problem);
  });

  it('marks a test network as simulated, and includes it in the name of the exchange', async () => {
    const { exchange } = read({ EXCHANGE_MODE: 'testnet' });
    const config = exchange as LiveExchangeConfig;
    expect(exchangeName(config)).toBe('binance-testnet');
    const service = await database.start({
      env: { EXCHANGE_MODE: 'testnet', EXCHANGE_ID: 'bybit' },
    });
    expect(service.context.exchange).toMatchObject({ name: 'bybit-testnet', simulated: true });
    await service.close();
  });

  it('reports a missing passphrase', async () => {
    const sim = await startExchangeSim({ dialect: DIALECTS.okx as Dialect, seed: 7 });
    const { EXCHANGE_API_PASSWORD: _, ...env } = environmentOf('okx', sim);
    const service = await database.start({ env });
    const { status, body } = await service.http.post('/metrics/collect').send({});
    await service.close();
    await sim.close();
    expect([status, body.error]).toEqual([
      500,
      'configuration: the exchange also requires EXCHANGE_API_PASSWORD',
    ]);
  });
});
