import type { Exchange as CcxtExchange } from 'ccxt';
import { decimalText, readDecimal } from '../../../decimal';
import { malformed } from '../../failure';
import type { ExchangeTrade, TradesRead } from '../../port';
import { readName } from '../../read-name';
import { readPages } from './read-pages';
import { readWindows } from './read-windows';

export type RawTrades = Awaited<ReturnType<CcxtExchange['fetchMyTrades']>>;

export type TradesSource = Pick<CcxtExchange, 'id' | 'fetchMyTrades'>;

/** Longest time range that Binance and Crypto.com accept; other exchanges accept more. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;

/**
 * Reads own trades in time windows, each to its last page. The library's paging would lose fills:
 * it skips trades in the same millisecond as the end of a page, and stops after ten pages without
 * an error.
 */
export async function readTrades(
  ccxt: TradesSource,
  symbol: string,
  { since, until }: { since: number; until: number },
  call: (ask: () => Promise<RawTrades>) => Promise<RawTrades>,
): Promise<TradesRead> {
  if (until <= since) return { trades: [], until: since };
  const windows = { since, until, longestMs: LONGEST_WINDOW_MS };
  const read = await readWindows(windows, symbol, (from, to) =>
    readPages(ccxt.id, 'fills', to, (more, limit) =>
      call(() => askTrades(ccxt, symbol, { from, to, more, limit })),
    ),
  );
  const known = ownRows(ccxt, symbol, read.rows).map((row) => tradeOf(row, symbol));
  const trades = [...new Map(known.map((trade) => [trade.tradeId, trade])).values()]
    .filter(({ time }) => time >= since && time <= read.until)
    .sort((a, b) => a.time - b.time);
  return { trades, until: read.until };
}

/**
 * Kraken returns the trades of all symbols; other exchanges must return only the requested symbol.
 */
function ownRows({ id }: TradesSource, symbol: string, rows: RawTrades): RawTrades {
  const own = rows.filter((row) => row.symbol === symbol);
  if (id !== 'kraken' && own.length < rows.length) {
    throw malformed(symbol, 'the answer contains a trade of another symbol');
  }
  return own;
}

export const readSide = (value: unknown): 'buy' | 'sell' | null =>
  value === 'buy' || value === 'sell' ? value : null;

interface AskedPage {
  from: number;
  to: number;
  more: Record<string, string>;
  limit: number | undefined;
}

/**
 * Requests Kraken's trades without a symbol. Otherwise the library would filter the rows, and the
 * next offset would be wrong.
 */
function askTrades(ccxt: TradesSource, symbol: string, { from, to, more, limit }: AskedPage) {
  if ('fromId' in more) return ccxt.fetchMyTrades(symbol, undefined, limit, more);
  const asked = ccxt.id === 'kraken' ? undefined : symbol;
  return ccxt.fetchMyTrades(asked, from, limit, { until: to, ...more });
}

const MAKERS: Record<string, boolean> = { maker: true, taker: false };

function tradeOf(raw: RawTrades[number], symbol: string): ExchangeTrade {
  const price = readDecimal(raw.price);
  const amount = readDecimal(raw.amount);
  const tradeId = readName(raw.id);
  const fee = readDecimal(raw.fee?.cost);
  const side = readSide(raw.side);
  const isWhole = price?.gt(0) && amount?.gt(0) && Number.isSafeInteger(raw.timestamp);
  if (!isWhole || !price || !amount || !tradeId || !fee || !side) {
    throw malformed(symbol, 'a trade has no valid id, side, price, amount, fee or time');
  }
  const info = (raw.info ?? {}) as Record<string, unknown>;
  // An `isMaker` that is not boolean is unknown; the library would interpret it as taker.
  const isOddMaker = 'isMaker' in info && typeof info.isMaker !== 'boolean';
  const clientOrderId = info.clientOrderId ?? info.clOrdId ?? info.orderLinkId ?? info.clientOid;
  return {
    tradeId,
    orderId: readName(raw.order),
    clientOrderId: readName(clientOrderId),
    side,
    price: decimalText(price),
    amount: decimalText(amount),
    fee: decimalText(fee),
    // Uses Bybit's own field first, because the library derives the fee asset from the side.
    feeAsset: readName(info.feeCurrency) ?? readName(raw.fee?.currency),
    isMaker: isOddMaker ? null : (MAKERS[String(raw.takerOrMaker)] ?? null),
    time: Number(raw.timestamp),
  };
}
