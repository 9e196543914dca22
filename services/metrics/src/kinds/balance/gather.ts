import { type Decimal, decimal, decimalText, optionalDecimalText } from '../../decimal';
import { ExchangeFailure } from '../../exchange/failure';
import { type Holding, readBalance } from '../../exchange/read-balance';
import { type Quote, readTicker } from '../../exchange/read-ticker';
import type { Resources } from '../../resources';
import type { Round, Sink } from '../kind';
import { MARKET } from '../market/market';
import { pairsToPrice, priceOf } from '../price-assets';

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
  /** Null when an asset has no price: a sum without it would look like a loss. */
  totalEquity: string | null;
  pricedEquity: string | null;
  quoteFree: string | null;
  equityComplete: boolean | null;
  unpricedAssets: string[];
}

/** One row an asset and one total row. */
export async function gatherBalance(round: Round, sink: Sink<BalanceRow>): Promise<void> {
  const { config, exchange, signal } = round;
  const { quote } = config;
  const balance = await exchange.balance(signal);
  const holdings = readBalance(balance, await hadAssets(round));
  const { accountType } = balance;
  const mids = await midPrices(round, holdings, await round.seen(MARKET));
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
  const priced = rows.reduce((sum, row) => sum.plus(row.valueInQuote ?? 0), decimal(0));
  const pricedEquity = decimalText(priced);
  const equityComplete = unpricedAssets.length === 0;
  sink.rows.push(...rows, {
    ...EMPTY,
    totalRow: true,
    accountType,
    quote,
    totalEquity: equityComplete ? pricedEquity : null,
    pricedEquity,
    quoteFree: decimalText(holdings.find(({ asset }) => asset === quote)?.free ?? 0),
    equityComplete,
    unpricedAssets,
  });
  const reason = `no price in ${quote}: equity is unknown`;
  sink.failures.push(
    ...unpricedAssets.map((asset) => new ExchangeFailure('unpriced', asset, reason)),
  );
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
  pricedEquity: null,
  quoteFree: null,
  equityComplete: null,
  unpricedAssets: [],
};

/** True when the account was last seen with something in it. */
async function hadAssets({ db, exchange }: Resources): Promise<boolean> {
  const last = await db.client.balanceSnapshot.findFirst({
    where: { totalRow: true, exchange: exchange.name },
    orderBy: [{ capturedAt: 'desc' }, { id: 'desc' }],
  });
  if (!last) return false;
  const { collectionRef } = last;
  return (await db.client.balanceSnapshot.count({ where: { collectionRef, totalRow: false } })) > 0;
}

/** Mid prices of the pairs that the holdings need, beside those that are quoted already. */
async function midPrices(
  { config, exchange, signal }: Round,
  holdings: readonly Holding[],
  quoted: readonly Quote[],
): Promise<Map<string, Decimal>> {
  const { quote } = config;
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
