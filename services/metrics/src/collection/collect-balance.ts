import { type Decimal, decimal, decimalText, optionalDecimalText } from '../decimal';
import { ExchangeFailure } from '../exchange/failure';
import type { Exchange } from '../exchange/port';
import { type Holding, readBalance } from '../exchange/read-balance';
import { type Quote, readTicker } from '../exchange/read-ticker';
import { pairsToPrice, priceOf } from './price-assets';
import type { Sink } from './run-component';

const BRIDGES = ['USDT', 'USDC', 'BTC', 'USD', 'EUR'];

export interface BalanceRow {
  totalRow: boolean;
  accountType: string;
  asset: string | null;
  free: string | null;
  used: string | null;
  total: string | null;
  priceInQuote: string | null;
  valueInQuote: string | null;
  priceSource: string | null;
  quote: string;
  totalEquity: string | null;
  quoteFree: string | null;
  equityComplete: boolean | null;
  unpricedAssets: string[];
}

/** Mid prices of the pairs that the holdings need and the market component did not fetch already. */
async function midPrices(
  exchange: Exchange,
  holdings: readonly Holding[],
  quote: string,
  quoted: readonly Quote[],
  signal: AbortSignal,
): Promise<Map<string, Decimal>> {
  const mids = new Map(quoted.map((row) => [row.symbol, decimal(row.mid)]));
  const assets = holdings
    .map(({ asset }) => asset)
    .filter((asset) => !priceOf(asset, quote, mids, BRIDGES));
  if (assets.length === 0) return mids;
  const listed = await exchange.markets(pairsToPrice(assets, quote, BRIDGES), signal);
  const needed = [...listed.keys()].filter((symbol) => !mids.has(symbol));
  for (const [symbol, ticker] of await exchange.tickers(needed, signal)) {
    if (ticker instanceof ExchangeFailure) continue;
    try {
      mids.set(symbol, decimal(readTicker(ticker, exchange.time()).mid));
    } catch {
      // An asset without a sensible price stays unpriced, and the total row says so.
    }
  }
  return mids;
}

const EMPTY = {
  asset: null,
  free: null,
  used: null,
  total: null,
  priceInQuote: null,
  valueInQuote: null,
  priceSource: null,
  totalEquity: null,
  quoteFree: null,
  equityComplete: null,
  unpricedAssets: [],
};

/** One row an asset and one total row (design, 3.2). */
export async function collectBalance(
  options: {
    exchange: Exchange;
    quote: string;
    hadAssets: () => Promise<boolean>;
    quoted: () => Promise<readonly Quote[]>;
  },
  sink: Sink<BalanceRow>,
  signal: AbortSignal,
): Promise<void> {
  const { exchange, quote } = options;
  const balance = await exchange.balance(signal);
  const holdings = readBalance(balance, await options.hadAssets());
  const { accountType } = balance;
  const mids = await midPrices(exchange, holdings, quote, await options.quoted(), signal);
  const rows = holdings.map(({ asset, free, used, total }): BalanceRow => {
    const known = priceOf(asset, quote, mids, BRIDGES);
    return {
      ...EMPTY,
      totalRow: false,
      accountType,
      quote,
      asset,
      free: decimalText(free),
      used: decimalText(used),
      total: decimalText(total),
      priceInQuote: optionalDecimalText(known?.price),
      valueInQuote: optionalDecimalText(known?.price.times(total)),
      priceSource: known?.source ?? 'none',
    };
  });
  const unpricedAssets = rows
    .filter((row) => row.valueInQuote === null)
    .map((row) => row.asset as string);
  const equity = rows.reduce((sum, row) => sum.plus(row.valueInQuote ?? 0), decimal(0));
  sink.rows.push(...rows, {
    ...EMPTY,
    totalRow: true,
    accountType,
    quote,
    totalEquity: decimalText(equity),
    quoteFree: decimalText(holdings.find(({ asset }) => asset === quote)?.free ?? 0),
    equityComplete: unpricedAssets.length === 0,
    unpricedAssets,
  });
}
