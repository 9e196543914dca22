import { readConfig } from '../../../config';
import type { LiveExchangeConfig } from '../../config';
import { connect } from '../connect';

let asked: { host: string; headers: Record<string, string> }[];
beforeEach(() => {
  asked = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, options) => {
    const headers = options?.headers as Record<string, string>;
    asked.push({ host: new URL(String(url)).host, headers });
    throw new TypeError('there is no network');
  });
});
afterEach(() => jest.restoreAllMocks());

const ask = async (id: string, mode: 'live' | 'testnet') => {
  asked = [];
  const env = { DATABASE_URL: 'postgresql://x', EXCHANGE_MODE: mode, EXCHANGE_ID: id };
  const config = readConfig(env).exchange as LiveExchangeConfig;
  const connection = connect({
    config: { ...config, rateLimit: false },
    timeoutMs: 10_000,
    now: Date.now,
    observe: () => undefined,
  });
  await expect(connection.ready(AbortSignal.timeout(60_000))).rejects.toThrow(/connection failed/);
  return [...new Set(asked.map(({ host }) => host))];
};

describe('EXCHANGE_MODE=testnet', () => {
  it.each([
    ['binance', 'testnet.binance.vision', 'api.binance.com'],
    ['binanceus', 'testnet.binance.vision', 'api.binance.us'],
    ['bybit', 'api-testnet.bybit.com', 'api.bybit.com'],
    ['cryptocom', 'uat-api.3ona.co', 'api.crypto.com'],
    ['gemini', 'api.sandbox.gemini.com', 'api.gemini.com'],
  ])('sends the requests for %s to %s and never to %s', async (id, test, real) => {
    const hosts = await ask(id, 'testnet');
    expect([hosts.includes(test), hosts.includes(real)]).toEqual([true, false]);
    expect(await ask(id, 'live')).toContain(real);
  });

  it('marks each okx request with x-simulated-trading, because the test network shares the host', async () => {
    const marks = () => asked.map(({ headers }) => headers['x-simulated-trading']);
    await ask('okx', 'testnet');
    expect(new Set(marks())).toEqual(new Set(['1']));
    await ask('okx', 'live');
    expect(new Set(marks())).toEqual(new Set([undefined]));
  });
});
