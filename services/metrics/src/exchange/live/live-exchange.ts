import type { Exchange as CcxtExchange } from 'ccxt';
import { exchangeName } from '../config';
import { ExchangeFailure, malformed } from '../failure';
import type { Balance, Candle, Exchange } from '../port';
import { connect, type LiveOptions, PERPETUAL_MARKETS } from './connect';
import { createLivePerpetuals } from './live-perpetuals';
import { earnedAsset, isListed, marketOf } from './market-of';
import { knownOrder, readOpenOrders } from './paged/read-open-orders';
import { readTrades } from './paged/read-trades';
import { readTransfers, tellsTransfers } from './paged/read-transfers';
import { readTickers } from './read-tickers';
import type { ServerClock } from './server-clock';

const CANDLE_GRACE_MS = 5_000;

const CLOCK_ERROR_MS = 10_000;

export function createLiveExchange(options: LiveOptions): Exchange {
  const { config } = options;
  const connection = connect(options);
  const { call, checkKey, ready, serverClock, state } = connection;
  const presentOf = createPresent(serverClock);
  return {
    name: options.name ?? exchangeName(config),
    // This data is marked as simulated, because a server at another URL may return invented data,
    // and a test network has no real money.
    simulated: config.baseUrl !== null || config.isTestnet,
    hasAccount: config.apiKey !== null,
    checkKey,
    markets: async (symbols, signal) => {
      const made = await ready(signal);
      const listed = symbols.filter((symbol) => isListed(made, symbol));
      return new Map(listed.map((symbol) => [symbol, marketOf(made, symbol)]));
    },
    tickers: async (symbols, signal) => readTickers(await ready(signal), symbols, signal, call),
    balance: async (signal) => {
      const made = await ready(signal);
      const more = made.id === 'coinbase' ? { v3: true } : {};
      const ask = () => made.fetchBalance(more);
      return balanceOf(made, await call('fetchBalance', 'balance', signal, ask));
    },
    candles: async (symbol, timeframe, { limit, since }, signal) => {
      const made = await ready(signal);
      marketOf(made, symbol);
      const ask = () => made.fetchOHLCV(symbol, timeframe, since, limit);
      const candles = (await call('fetchOHLCV', symbol, signal, ask)).map(candleOf);
      if (since !== undefined) return candles;
      if (candles.length === 0) throw malformed(symbol, 'the answer has no candles');
      return candles.slice(-limit);
    },
    openOrders: async (symbol, signal) =>
      readOpenOrders(await ready(signal), symbol, (ask) =>
        call('fetchOpenOrders', symbol, signal, ask),
      ),
    trades: async (symbol, since, signal) => {
      const made = await ready(signal);
      const from = Math.floor(since / SHARED_MS) * SHARED_MS;
      return readUntilNow(presentOf(signal), (until) =>
        readTrades(made, symbol, { since: from, until }, (ask) =>
          call('fetchMyTrades', symbol, signal, ask),
        ),
      );
    },
    transfers: async (since, signal) => {
      const made = await ready(signal);
      if (!tellsTransfers(made)) {
        throw new ExchangeFailure(
          'not_supported',
          'transfers',
          `${made.id} does not list transfers of all accounts`,
        );
      }
      return readUntilNow(serverClock, (until) =>
        readTransfers(made, { since, until }, (ask) =>
          call('fetchTransfers', 'transfers', signal, ask),
        ),
      );
    },
    order: async (symbol, orderId, signal) => {
      const made = await ready(signal);
      // Acknowledges a warning, because the library would otherwise throw it as an error.
      const more = made.id === 'bybit' ? { acknowledged: true } : {};
      try {
        const ask = () => made.fetchOrder(orderId, symbol, more);
        return knownOrder(await call('fetchOrder', symbol, signal, ask));
      } catch (error) {
        if (error instanceof ExchangeFailure && error.code === 'not_found') return null;
        throw error;
      }
    },
    perpetuals: Object.hasOwn(PERPETUAL_MARKETS, config.id)
      ? createLivePerpetuals(connection)
      : null,
    time: serverClock.now,
    candleGraceMs: CANDLE_GRACE_MS,
    state,
    close: async () => undefined,
  };
}

/**
 * Start times of requests for fills are rounded down to multiples of this, so that grids of one
 * symbol share requests.
 */
const SHARED_MS = 600_000;

type Present = Pick<ServerClock, 'now' | 'steps'>;

/** Returns the same time to all reads of a collection, so that its grids share requests. */
function createPresent(clock: ServerClock): (signal: AbortSignal) => Present {
  const known = new WeakMap<AbortSignal, { time: number; steps: number }>();
  return (signal) => ({
    steps: clock.steps,
    now: () => {
      const before = known.get(signal);
      if (before?.steps === clock.steps()) return before.time;
      const time = clock.now();
      known.set(signal, { time, steps: clock.steps() });
      return time;
    },
  });
}

/** Reads up to the exchange's current time. Reads again if a clock was set during the read. */
async function readUntilNow<Read extends { until: number }>(
  clock: Present,
  readUntil: (until: number) => Promise<Read>,
): Promise<Read> {
  const steps = clock.steps();
  const read = async () => {
    const until = clock.now();
    const found = await readUntil(until + CLOCK_ERROR_MS);
    return { ...found, until: Math.min(found.until, until) };
  };
  const first = await read();
  return clock.steps() === steps ? first : read();
}

function candleOf([time, ...values]: readonly unknown[]): Candle {
  const [open = '', high = '', low = '', close = '', volume = ''] = values.map(String);
  return { openTime: Number(time), open, high, low, close, volume };
}

/**
 * Converts the account from the library's format. Only a response with content proves that the
 * account is empty.
 */
function balanceOf(
  made: CcxtExchange,
  raw: Awaited<ReturnType<CcxtExchange['fetchBalance']>>,
): Balance {
  const { info, free, used, total } = raw as unknown as Record<string, Record<string, unknown>>;
  if (info?.has_next === true)
    throw malformed('balance', 'the account has more assets than the answer contains');
  const assets = Object.fromEntries(
    Object.keys(total ?? {}).map((asset) => [
      asset,
      {
        ...{ free: free?.[asset], used: used?.[asset], total: total?.[asset] },
        valuedAs: earnedAsset(made, asset),
      },
    ]),
  );
  const provenEmpty = typeof info === 'object' && info !== null && Object.keys(info).length > 0;
  return { accountType: 'spot', assets, provenEmpty };
}
