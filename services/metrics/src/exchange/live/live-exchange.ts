import type { Exchange as CcxtExchange } from 'ccxt';
import type { Clock } from '../../clock';
import { decimalText, readDecimal } from '../../decimal';
import { exchangeName, type LiveExchangeConfig } from '../config';
import { asFailure, ExchangeFailure, malformed } from '../failure';
import type { Balance, Exchange, Market, Ticker } from '../port';
import { createCircuit } from './circuit';
import { createGuardedCall } from './guarded-call';
import { type Library, loadLibrary } from './library';
import { createFetch } from './own-fetch';
import { type RawTrades, readTrades } from './read-trades';
import { createRedaction } from './redact-text';
import { createServerClock } from './server-clock';

/** Above this a list of tickers in one call is cheaper than one call each. */
const MOST_SINGLE_TICKERS = 20;

/** Trades of the last moment may be added to a candle after its end. */
const CANDLE_GRACE_MS = 5_000;

const CLOCK_ERROR_MS = 10_000;

type RawTicker = Awaited<ReturnType<CcxtExchange['fetchTicker']>>;

/** A real exchange through the ccxt library; it reads only, and is loaded by the first call. */
export function createLiveExchange(options: {
  config: LiveExchangeConfig;
  timeoutMs: number;
  clock: Clock;
  /** Hears how each attempt of a call ended. */
  observe(method: string, outcome: string, seconds: number): void;
}): Exchange {
  const { config, timeoutMs, clock, observe } = options;
  const now = () => clock.now().getTime();
  const circuit = createCircuit(now);
  const serverClock = createServerClock(now);
  const redact = createRedaction([config.apiKey, config.secret, config.password]);
  let library: Library | null = null;
  let ccxt: CcxtExchange | null = null;
  let loading: Promise<unknown> | null = null;

  const load = (): CcxtExchange => {
    if (ccxt) return ccxt;
    library = loadLibrary(config.id, redact);
    const made = library.create(optionsFor(config, timeoutMs));
    // Decimal texts instead of floats, all the way from the answer to the column.
    made.number = String as never;
    made.fetchImplementation = createFetch({ timeoutMs, circuit, now });
    if (config.baseUrl) made.urls.api = repoint(made.urls.api, config.baseUrl) as never;
    ccxt = made;
    return made;
  };
  const call = createGuardedCall({
    circuit,
    failureOf: (error, target) => library?.failureOf(error, target) ?? asFailure(error, target),
    observe,
  });
  const readClock = (made: CcxtExchange, signal: AbortSignal) =>
    serverClock.read(async () =>
      made.has.fetchTime
        ? call('fetchTime', 'clock', signal, () => timeOf(made))
        : lastResponseTime(made),
    );
  const loadOnce = async (made: CcxtExchange, signal: AbortSignal) => {
    // `true`, because the library keeps a failed attempt for ever.
    await call('loadMarkets', 'markets', signal, () => made.loadMarkets(true));
    await readClock(made, signal);
  };
  /** Loaded once, by the first call; the clock is read again from time to time. */
  const ready = async (signal: AbortSignal): Promise<CcxtExchange> => {
    const made = load();
    loading ??= loadOnce(made, signal).catch((error) => {
      loading = null;
      throw error;
    });
    await loading;
    // The last offset is good enough while the exchange does not say the time.
    if (serverClock.isDue()) await readClock(made, signal).catch(() => undefined);
    return made;
  };
  const single = async (made: CcxtExchange, symbol: string, signal: AbortSignal) => {
    try {
      const raw = await call('fetchTicker', symbol, signal, () => made.fetchTicker(symbol));
      return [symbol, tickerOf(symbol, raw)] as const;
    } catch (error) {
      return [symbol, asFailure(error, symbol)] as const;
    }
  };

  return {
    name: exchangeName(config),
    // Another address may make everything up.
    simulated: config.baseUrl !== null,
    hasAccount: config.apiKey !== null,
    market: async (symbol, signal) => marketOf(await ready(signal), symbol),
    markets: async (symbols, signal) => {
      const made = await ready(signal);
      const listed = symbols.filter((symbol) => isListed(made, symbol));
      return new Map(listed.map((symbol) => [symbol, marketOf(made, symbol)]));
    },
    tickers: async (symbols, signal) => {
      const made = await ready(signal);
      const found = new Map<string, Ticker | ExchangeFailure>();
      const listed = symbols.filter((symbol) => {
        if (isListed(made, symbol)) return true;
        found.set(symbol, new ExchangeFailure('bad_symbol', symbol, `${made.id} does not list it`));
        return false;
      });
      if (listed.length === 0) return found;
      const isOneByOne = config.id === 'binance' && listed.length <= MOST_SINGLE_TICKERS;
      if (isOneByOne || !made.has.fetchTickers) {
        const tickers = await Promise.all(listed.map((symbol) => single(made, symbol, signal)));
        return new Map([...found, ...tickers]);
      }
      const all = await call('fetchTickers', 'tickers', signal, () => made.fetchTickers(listed));
      for (const symbol of listed) {
        const raw = all[symbol];
        const absent = malformed(symbol, 'the answer has no ticker for it');
        found.set(symbol, raw ? tickerOf(symbol, raw) : absent);
      }
      return found;
    },
    balance: async (signal) => {
      const made = await ready(signal);
      return balanceOf(await call('fetchBalance', 'balance', signal, () => made.fetchBalance()));
    },
    candles: async (symbol, timeframe, limit, signal) => {
      const made = await ready(signal);
      marketOf(made, symbol);
      const ask = () => made.fetchOHLCV(symbol, timeframe, undefined, limit);
      const rows = await call('fetchOHLCV', symbol, signal, ask);
      if (rows.length === 0) throw malformed(symbol, 'no candle in the answer');
      return rows.slice(-limit).map(([time, ...values]) => {
        const [open = '', high = '', low = '', close = '', volume = ''] = values.map(String);
        return { openTime: Number(time), open, high, low, close, volume };
      });
    },
    openOrders: async (symbol, signal) => {
      const made = await ready(signal);
      const ask = () => made.fetchOpenOrders(symbol);
      const orders = await call('fetchOpenOrders', symbol, signal, ask);
      return orders.map((order) => ({
        orderId: String(order.id),
        clientOrderId: order.clientOrderId ? String(order.clientOrderId) : null,
        side: order.side === 'sell' ? 'sell' : 'buy',
        price: decimalText(readDecimal(order.price) ?? 0),
        amount: decimalText(readDecimal(order.amount) ?? 0),
      }));
    },
    trades: async (symbol, since, signal) => {
      const made = await ready(signal);
      const until = serverClock.now();
      // What happened a moment ago may be dated after a time that was read with an error.
      const span = { since, until: until + CLOCK_ERROR_MS };
      const ask = (work: () => Promise<RawTrades>) => call('fetchMyTrades', symbol, signal, work);
      const read = await readTrades(made, symbol, span, ask);
      return { ...read, until: Math.min(read.until, until) };
    },
    clientOrderIdOf: async (symbol, orderId, signal) => {
      const made = await ready(signal);
      // Bybit's call warns by an error unless it is told that old orders are not found.
      const more = made.id === 'bybit' ? { acknowledged: true } : {};
      try {
        const ask = () => made.fetchOrder(orderId, symbol, more);
        const { clientOrderId } = await call('fetchOrder', symbol, signal, ask);
        return clientOrderId ? String(clientOrderId) : null;
      } catch (error) {
        if (error instanceof ExchangeFailure && error.code === 'not_found') return null;
        throw error;
      }
    },
    time: serverClock.now,
    candleGraceMs: CANDLE_GRACE_MS,
    state: () => ({ ...circuit.state(), clockOffsetMs: serverClock.offsetMs() }),
    close: async () => undefined,
  };
}

function optionsFor(config: LiveExchangeConfig, timeoutMs: number): Record<string, unknown> {
  return {
    ...(config.apiKey && { apiKey: config.apiKey, secret: config.secret }),
    ...(config.password && { password: config.password }),
    enableRateLimit: config.rateLimit,
    timeout: timeoutMs + 1_000,
    options: {
      defaultType: 'spot',
      fetchMarkets: { types: ['spot'] },
      fetchCurrencies: false,
      fetchMargins: false,
      warnOnFetchOpenOrdersWithoutSymbol: false,
    },
  };
}

/** Of an exchange that has no call for it. */
function lastResponseTime(ccxt: CcxtExchange): number {
  const headers = (ccxt.last_response_headers ?? {}) as Record<string, string | undefined>;
  const time = Date.parse(headers.Date ?? headers.date ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}

/** The exchange's time, which its library also signs by. */
async function timeOf(ccxt: CcxtExchange): Promise<number> {
  const time = Number(await ccxt.fetchTime());
  if (!Number.isSafeInteger(time)) throw malformed('clock', 'the answer has no time');
  // Kraken's signature holds a number that must only ever grow, and no time.
  if (ccxt.id !== 'kraken') ccxt.options.timeDifference = Date.now() - time;
  return time;
}

function repoint(urls: unknown, base: string): unknown {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, base.replace(/\/$/, ''));
  if (typeof urls !== 'object' || urls === null) return urls;
  return Object.fromEntries(
    Object.entries(urls).map(([key, value]) => [key, repoint(value, base)]),
  );
}

function marketOf(ccxt: CcxtExchange, symbol: string): Market {
  const known = isListed(ccxt, symbol) ? ccxt.markets?.[symbol] : undefined;
  if (!known) throw new ExchangeFailure('bad_symbol', symbol, `${ccxt.id} does not list it`);
  return {
    symbol,
    base: String(known.base),
    quote: String(known.quote),
    tick: positive(known.precision?.price, '0.00000001'),
    amountStep: positive(known.precision?.amount, '0.00000001'),
    minCost: positive(known.limits?.cost?.min, '0.00000001'),
  };
}

const isListed = (ccxt: CcxtExchange, symbol: string) => Object.hasOwn(ccxt.markets ?? {}, symbol);

const positive = (value: unknown, otherwise: string) => {
  const read = readDecimal(value);
  return read?.gt(0) ? decimalText(read) : otherwise;
};

const tickerOf = (symbol: string, raw: RawTicker): Ticker => ({
  symbol,
  time: typeof raw.timestamp === 'number' ? raw.timestamp : null,
  last: raw.last,
  bid: raw.bid,
  ask: raw.ask,
  open: raw.open,
  high: raw.high,
  low: raw.low,
  baseVolume: raw.baseVolume,
  quoteVolume: raw.quoteVolume,
});

/** The account as the library read it; an answer without content proves nothing. */
function balanceOf(raw: Awaited<ReturnType<CcxtExchange['fetchBalance']>>): Balance {
  const { info, free, used, total } = raw as unknown as Record<string, Record<string, unknown>>;
  const assets = Object.fromEntries(
    Object.keys(total ?? {}).map((asset) => [
      asset,
      { free: free?.[asset], used: used?.[asset], total: total?.[asset] },
    ]),
  );
  const provenEmpty = typeof info === 'object' && info !== null && Object.keys(info).length > 0;
  return { accountType: 'spot', assets, provenEmpty };
}
