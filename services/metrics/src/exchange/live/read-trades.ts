import type { Exchange as CcxtExchange } from 'ccxt';
import { decimalText, readDecimal } from '../../decimal';
import { malformed } from '../failure';
import type { ExchangeTrade, TradesRead } from '../port';
import { readName } from '../read-name';
import { readWindows } from './read-windows';

export type RawTrades = Awaited<ReturnType<CcxtExchange['fetchMyTrades']>>;

/** What reading trades needs of the library. */
export type TradesSource = Pick<CcxtExchange, 'id' | 'fetchMyTrades' | 'featureValue'>;

/** The longest that Binance and Crypto.com take between start and end; the others take more. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;
/** No exchange has smaller pages, so fewer trades than this are all of them. */
const SMALLEST_PAGE = 50;

/**
 * Own trades in windows of time, each halved until its page is not full. The library's own paging would lose fills:
 * it steps over what shares a millisecond with the end of a page, and stops after ten pages without a word.
 */
export async function readTrades(
  ccxt: TradesSource,
  symbol: string,
  { since, until }: { since: number; until: number },
  call: (ask: () => Promise<RawTrades>) => Promise<RawTrades>,
): Promise<TradesRead> {
  if (until <= since) return { trades: [], until: since };
  const page = pageSizeOf(ccxt, symbol);
  const known = new Map<string, ExchangeTrade>();
  const readUntil = await readWindows(
    { since, until, longestMs: LONGEST_WINDOW_MS, smallestPage: SMALLEST_PAGE, largestPage: page },
    symbol,
    async (from, to) => {
      const rows = await call(() => askTrades(ccxt, symbol, page, from, to));
      return {
        count: rows.length,
        keep: () => {
          for (const row of ownRows(ccxt, symbol, rows)) {
            const trade = tradeOf(row, symbol);
            known.set(trade.tradeId, trade);
          }
        },
      };
    },
  );
  const trades = [...known.values()]
    .filter(({ time }) => time >= since && time <= readUntil)
    .sort((a, b) => a.time - b.time || a.tradeId.localeCompare(b.tradeId));
  return { trades, until: readUntil };
}

/** Kraken shows the trades of all symbols; of the others each one must be of the symbol that was asked for. */
function ownRows({ id }: TradesSource, symbol: string, rows: RawTrades): RawTrades {
  const own = rows.filter((row) => row.symbol === symbol);
  if (id !== 'kraken' && own.length < rows.length) {
    throw malformed(symbol, 'a trade of another symbol');
  }
  return own;
}

/** The side of an order or a trade, or null: an unreadable one must not count as a purchase. */
export const readSide = (value: unknown): 'buy' | 'sell' | null =>
  value === 'buy' || value === 'sell' ? value : null;

function pageSizeOf(ccxt: TradesSource, symbol: string): number | undefined {
  const limit = Number(ccxt.featureValue(symbol, 'fetchMyTrades', 'limit'));
  return limit > 0 ? limit : undefined;
}

/** Kraken pages over all symbols, so only with all of them in sight a page is known to be full. */
function askTrades(
  ccxt: TradesSource,
  symbol: string,
  limit: number | undefined,
  since: number,
  until: number,
) {
  return ccxt.fetchMyTrades(ccxt.id === 'kraken' ? undefined : symbol, since, limit, { until });
}

function tradeOf(raw: RawTrades[number], symbol: string): ExchangeTrade {
  const price = readDecimal(raw.price);
  const amount = readDecimal(raw.amount);
  const tradeId = readName(raw.id);
  const fee = readDecimal(raw.fee?.cost);
  const side = readSide(raw.side);
  const isWhole = price?.gt(0) && amount?.gt(0) && Number.isSafeInteger(raw.timestamp);
  if (!isWhole || !price || !amount || !tradeId || !fee || !side) {
    throw malformed(symbol, 'a trade without id, side, price, amount, fee or time');
  }
  const info = (raw.info ?? {}) as Record<string, unknown>;
  // As OKX, Bybit and KuCoin call it; Binance and Kraken leave it out of a trade.
  const clientOrderId = info.clientOrderId ?? info.clOrdId ?? info.orderLinkId ?? info.clientOid;
  return {
    tradeId,
    orderId: readName(raw.order),
    clientOrderId: readName(clientOrderId),
    side,
    price: decimalText(price),
    amount: decimalText(amount),
    fee: decimalText(fee),
    // The library guesses Bybit's by the side; the exchange tells it.
    feeAsset: readName(info.feeCurrency) ?? readName(raw.fee?.currency),
    time: Number(raw.timestamp),
  };
}
