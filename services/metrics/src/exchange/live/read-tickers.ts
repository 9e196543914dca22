import type { Exchange as CcxtExchange } from 'ccxt';
import { asFailure, ExchangeFailure, malformed } from '../failure';
import type { Ticker } from '../port';
import { splitListed } from './market-of';
import type { Call } from './requests/guarded-call';

const MOST_SINGLE_TICKERS = 20;

type RawTicker = Awaited<ReturnType<CcxtExchange['fetchTicker']>>;

export async function readTickers(
  ccxt: CcxtExchange,
  symbols: readonly string[],
  signal: AbortSignal,
  call: Call,
): Promise<Map<string, Ticker | ExchangeFailure>> {
  const { listed, failures } = splitListed(ccxt, symbols);
  const found = new Map<string, Ticker | ExchangeFailure>(failures);
  if (listed.length === 0) return found;
  const isOneByOne = ccxt.id === 'binance' && listed.length <= MOST_SINGLE_TICKERS;
  if (isOneByOne || !ccxt.has.fetchTickers) {
    return new Map([...found, ...(await oneByOne(ccxt, listed, signal, call))]);
  }
  const all = await call('fetchTickers', 'tickers', signal, () => ccxt.fetchTickers(listed));
  for (const symbol of listed) {
    const raw = all[symbol];
    const absent = malformed(symbol, 'the answer has no ticker for this symbol');
    found.set(symbol, raw?.symbol === symbol ? tickerOf(symbol, raw) : absent);
  }
  const bookless = listed.filter((symbol) => all[symbol] && !hasBook(all[symbol]));
  const books = await booksOf(ccxt, bookless, signal, call);
  for (const [symbol, book] of books) {
    const ticker = found.get(symbol);
    if (!ticker || ticker instanceof ExchangeFailure || book instanceof ExchangeFailure) {
      found.set(symbol, book);
    } else found.set(symbol, { ...ticker, bid: book.bid, ask: book.ask, time: book.time });
  }
  return found;
}

const hasBook = ({ bid, ask }: Pick<RawTicker, 'bid' | 'ask'>): boolean =>
  bid !== undefined && ask !== undefined;

/**
 * Reads missing bid and ask prices. Without a key, uses one call per symbol, because the call for
 * all symbols may require a key.
 */
async function booksOf(
  ccxt: CcxtExchange,
  symbols: string[],
  signal: AbortSignal,
  call: Call,
): Promise<Map<string, Ticker | ExchangeFailure>> {
  if (symbols.length === 0) return new Map();
  if (!ccxt.has.fetchBidsAsks || !ccxt.apiKey) return oneByOne(ccxt, symbols, signal, call);
  const books = await call('fetchBidsAsks', 'tickers', signal, () => ccxt.fetchBidsAsks(symbols));
  const found = symbols.flatMap((symbol) => {
    const book = books[symbol];
    return book ? [[symbol, tickerOf(symbol, book)] as const] : [];
  });
  return new Map(found);
}

async function oneByOne(
  ccxt: CcxtExchange,
  symbols: readonly string[],
  signal: AbortSignal,
  call: Call,
): Promise<Map<string, Ticker | ExchangeFailure>> {
  const asked = symbols.map(async (symbol) => {
    try {
      const raw = await call('fetchTicker', symbol, signal, () => ccxt.fetchTicker(symbol));
      if (raw.symbol !== symbol)
        throw malformed(symbol, 'the answer is the ticker of another symbol');
      return [symbol, tickerOf(symbol, raw)] as const;
    } catch (error) {
      return [symbol, asFailure(error, symbol)] as const;
    }
  });
  return new Map<string, Ticker | ExchangeFailure>(await Promise.all(asked));
}

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
