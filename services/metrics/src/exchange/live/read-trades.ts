import type { Exchange as CcxtExchange } from 'ccxt';
import { decimalText, readDecimal } from '../../decimal';
import { malformed } from '../failure';
import type { ExchangeTrade } from '../port';

type RawTrades = Awaited<ReturnType<CcxtExchange['fetchMyTrades']>>;

const MOST_PAGES = 40;
const PAGE = 500;
const KRAKEN_PAGE = 50;

/**
 * All own trades from `since` on, page by page: Kraken pages by offset from the newest, the others forward in
 * time. A page that brings nothing unknown is the last.
 */
export async function readTrades(
  ccxt: CcxtExchange,
  symbol: string,
  since: number,
  call: (ask: () => Promise<RawTrades>) => Promise<RawTrades>,
): Promise<ExchangeTrade[]> {
  const isKraken = ccxt.id === 'kraken';
  const known = new Map<string, ExchangeTrade>();
  let from = since;
  for (let page = 0; page < MOST_PAGES; page++) {
    const offset = { ofs: page * KRAKEN_PAGE };
    const rows = await call(() =>
      isKraken
        ? ccxt.fetchMyTrades(symbol, since, undefined, offset)
        : ccxt.fetchMyTrades(symbol, from, PAGE),
    );
    const before = known.size;
    for (const row of rows) {
      const trade = tradeOf(row, symbol);
      if (trade.time >= since) known.set(trade.tradeId, trade);
      from = Math.max(from, trade.time);
    }
    const isLast = !isKraken && rows.length < PAGE;
    if (known.size === before || isLast) break;
  }
  return [...known.values()].sort((a, b) => a.time - b.time || a.tradeId.localeCompare(b.tradeId));
}

function tradeOf(raw: RawTrades[number], symbol: string): ExchangeTrade {
  const price = readDecimal(raw.price);
  const amount = readDecimal(raw.amount);
  const isWhole = raw.id && price?.gt(0) && amount?.gt(0) && Number.isSafeInteger(raw.timestamp);
  if (!isWhole || !price || !amount)
    throw malformed(symbol, 'a trade without price, amount or time');
  const clientOrderId = (raw.info as { clientOrderId?: unknown } | undefined)?.clientOrderId;
  return {
    tradeId: String(raw.id),
    orderId: raw.order ? String(raw.order) : null,
    clientOrderId: clientOrderId ? String(clientOrderId) : null,
    side: raw.side === 'sell' ? 'sell' : 'buy',
    price: decimalText(price),
    amount: decimalText(amount),
    fee: decimalText(readDecimal(raw.fee?.cost) ?? 0),
    feeAsset: raw.fee?.currency ? String(raw.fee.currency) : null,
    time: Number(raw.timestamp),
  };
}
