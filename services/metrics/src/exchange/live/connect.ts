import type { Exchange as CcxtExchange } from 'ccxt';
import type { LiveExchangeConfig } from '../config';
import { asFailure, malformed } from '../failure';
import type { ExchangeState } from '../port';
import { costsOf, readerOf } from './access/answers/answers';
import { createKeyCheck } from './access/key-check';
import { createRedaction } from './access/redact-text';
import { type Library, loadLibrary } from './library';
import { createCircuit } from './requests/circuit';
import { type Call, createGuardedCall } from './requests/guarded-call';
import { limitRequests } from './requests/limit-requests';
import { createLimiter, type Limiter } from './requests/limiter';
import { createFetch } from './requests/own-fetch';
import { createServerClock, type ServerClock } from './server-clock';

export interface LiveOptions {
  config: LiveExchangeConfig;
  name?: string;
  timeoutMs: number;
  limiter?: Limiter | undefined;
  withPerpetuals?: boolean;
  now(): number;
  observe(method: string, outcome: string, seconds: number): void;
}

export interface Connection {
  call: Call;
  serverClock: ServerClock;
  ready(signal: AbortSignal): Promise<CcxtExchange>;
  state(): ExchangeState;
  checkKey(signal: AbortSignal): Promise<void>;
}

export const PERPETUAL_MARKETS: Record<string, string> = {
  binance: 'linear',
  bybit: 'linear',
  okx: 'swap',
};

const MARKETS_AGAIN_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;

export function connect({
  config,
  name = config.id,
  timeoutMs,
  limiter = createLimiter(),
  withPerpetuals = false,
  now,
  observe,
}: LiveOptions): Connection {
  const circuit = createCircuit(now);
  const serverClock = createServerClock(now);
  const key = createKeyCheck(config.apiKey !== null, now);
  const redact = createRedaction([config.apiKey, config.secret, config.password]);
  let library: Library | null = null;
  let ccxt: CcxtExchange | null = null;
  let loading: Promise<unknown> | null = null;
  let marketsAgainAt = 0;

  const load = (): CcxtExchange => {
    if (ccxt) return ccxt;
    library = loadLibrary(config.id, redact);
    ccxt = library.create(optionsFor(config, timeoutMs, withPerpetuals));
    // Keeps numbers as decimal texts, because floats lose digits.
    ccxt.number = String as never;
    ccxt.milliseconds = now;
    ccxt.seconds = () => Math.floor(now() / 1000);
    const { throttler } = ccxt;
    ccxt.throttle = (cost) => throttler.throttle(Number(cost ?? 1));
    const base = config.baseUrl ? new URL(config.baseUrl).pathname.replace(/\/$/, '') : '';
    limitRequests(ccxt, {
      limiter: config.rateLimit ? limiter : null,
      owner: name,
      base,
      isOpen: () => circuit.state().circuit === 'open',
    });
    ccxt.fetchImplementation = createFetch({
      timeoutMs,
      circuit,
      now,
      onDate: serverClock.hear,
      readerOf: (method, path) =>
        path.startsWith(base) ? readerOf(config.id, method, path.slice(base.length)) : null,
    });
    if (config.isTestnet) ccxt.setSandboxMode(true);
    key.miss(config.apiKey === null ? [] : missingCredentials(ccxt));
    if (WITHOUT_CURRENCIES.includes(config.id)) ccxt.has.fetchCurrencies = false;
    if (config.baseUrl) ccxt.urls.api = repoint(ccxt.urls.api, config.baseUrl) as never;
    return ccxt;
  };
  const parts = {
    circuit,
    failureOf: (error: unknown, target: string) =>
      library?.failureOf(error, target) ?? asFailure(error, target),
    observe,
  };
  const { steps } = serverClock;
  const askTime = createGuardedCall({ ...parts, clock: { steps, heed: async () => undefined } });
  let reading: Promise<void> | null = null;
  const readClock = (made: CcxtExchange, signal: AbortSignal) => {
    reading ??= serverClock
      .read(async () =>
        made.has.fetchTime
          ? askTime('fetchTime', 'clock', signal, () => timeOf(made, now))
          : lastResponseTime(made, now),
      )
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const heed = async (signal: AbortSignal) => {
    if (ccxt && (serverClock.isDoubted() || reading)) {
      await readClock(ccxt, signal).catch(() => undefined);
    }
  };
  const call = createGuardedCall({ ...parts, clock: { steps, heed } });
  const loadMarkets = async (made: CcxtExchange, signal: AbortSignal) => {
    marketsAgainAt = now() + AFTER_FAILURE_MS;
    // `true` forces a request. Otherwise the library would cache the markets, and even a failed
    // attempt, forever.
    await call('loadMarkets', 'markets', signal, () => made.loadMarkets(true));
    marketsAgainAt = now() + MARKETS_AGAIN_MS;
  };
  const loadOnce = async (made: CcxtExchange, signal: AbortSignal) => {
    await loadMarkets(made, signal);
    await readClock(made, signal);
  };
  const ready = async (signal: AbortSignal): Promise<CcxtExchange> => {
    const made = load();
    loading ??= loadOnce(made, signal).catch((error) => {
      loading = null;
      throw error;
    });
    await loading;
    if (now() >= marketsAgainAt) await loadMarkets(made, signal).catch(() => undefined);
    if (serverClock.isDue()) await readClock(made, signal).catch(() => undefined);
    return made;
  };
  const askKey = async (signal: AbortSignal) => {
    const made = await ready(signal);
    if (key.state().problem === null || key.state().permissions !== null) {
      await key.read(made, (ask) => call('keyPermissions', 'key', signal, ask));
    }
  };
  return {
    call,
    serverClock,
    ready,
    state: () => ({
      ...circuit.state(),
      clockOffsetMs: serverClock.offsetMs(),
      key: key.state(),
    }),
    // Ignores a failure, because the next check retries. Until then a warning reports that the
    // permissions are unknown.
    checkKey: async (signal) => {
      if (key.isDue()) await askKey(signal).catch(() => undefined);
    },
  };
}

/** Exchanges that use the common asset names, so their currency list is not needed. */
const WITHOUT_CURRENCIES = ['bybit', 'coinbase', 'okx'];

function missingCredentials(ccxt: CcxtExchange): string[] {
  const given = ccxt as unknown as Record<string, unknown>;
  return Object.entries(ccxt.requiredCredentials)
    .filter(([name, isRequired]) => isRequired && !given[name])
    .map(([name]) => VARIABLES[name] ?? name);
}

const VARIABLES: Record<string, string> = {
  apiKey: 'EXCHANGE_API_KEY',
  secret: 'EXCHANGE_API_SECRET',
  password: 'EXCHANGE_API_PASSWORD',
};

function optionsFor(
  config: LiveExchangeConfig,
  timeoutMs: number,
  withPerpetuals: boolean,
): Record<string, unknown> {
  const perpetual = withPerpetuals ? PERPETUAL_MARKETS[config.id] : undefined;
  return {
    ...(config.apiKey && { apiKey: config.apiKey, secret: config.secret }),
    ...(config.password && { password: config.password }),
    // The library's fixed delay between calls is only used if the exchange's limits are unknown.
    enableRateLimit: config.rateLimit && costsOf(config.id) === null,
    timeout: timeoutMs + 1_000,
    options: {
      defaultType: 'spot',
      fetchMarkets: { types: perpetual ? ['spot', perpetual] : ['spot'] },
      fetchCurrencies: false,
      fetchMargins: false,
      warnOnFetchOpenOrdersWithoutSymbol: false,
    },
  };
}

function lastResponseTime(ccxt: CcxtExchange, now: () => number): number {
  const headers = (ccxt.last_response_headers ?? {}) as Record<string, string | undefined>;
  const time = Date.parse(headers.Date ?? headers.date ?? '');
  return Number.isNaN(time) ? now() : time;
}

async function timeOf(ccxt: CcxtExchange, now: () => number): Promise<number> {
  const time = Number(await ccxt.fetchTime());
  if (!Number.isSafeInteger(time)) throw malformed('clock', 'the answer has no time');
  if (ccxt.id !== 'kraken') ccxt.options.timeDifference = now() - time;
  return time;
}

function repoint(urls: unknown, base: string): unknown {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, base.replace(/\/$/, ''));
  if (typeof urls !== 'object' || urls === null) return urls;
  return Object.fromEntries(
    Object.entries(urls).map(([key, value]) => [key, repoint(value, base)]),
  );
}
