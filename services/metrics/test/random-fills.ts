import { inSqlTransaction } from '@switchyard/db';
import { randomFrom } from '@switchyard/testing';
import { decimal } from '../src/decimal';
import type { ExchangeTrade } from '../src/exchange/port';
import { bookFills } from '../src/kinds/grid/books/book-fills';
import type { GridRow } from '../src/kinds/grid/read-grids';
import { readGrids } from '../src/kinds/grid/read-grids';
import type { Harness } from './harness';

const MONTH_MS = 30 * 86_400_000;
const START = Date.UTC(2031, 0, 1);
const LEVELS = ['3000', '3100', '3200', '3300', '3400'];

const pick = <T>(random: () => number, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

function randomMonth(random: () => number, size: number): ExchangeTrade[] {
  let tradeId = 10 ** (1 + Math.floor(random() * 6)) - Math.floor(random() * 20);
  let time = START;
  return Array.from({ length: Math.ceil(size * (0.5 + random())) }, () => {
    if (random() < 0.7) time += Math.floor((random() * MONTH_MS) / size);
    tradeId += 1 + Math.floor(random() * 3);
    const level = Math.floor(random() * LEVELS.length);
    const price = decimal(LEVELS[level] as string).plus(Math.floor(random() * 900) / 100);
    return {
      tradeId: String(tradeId),
      orderId: String(tradeId),
      clientOrderId: `g-${level}-${tradeId}`,
      orderPrice: random() < 0.8 ? (LEVELS[level] as string) : null,
      side: pick(random, ['buy', 'sell'] as const),
      price: price.toFixed(),
      amount: (0.01 + Math.floor(random() * 100) / 1000).toFixed(3),
      fee: (Math.floor(random() * 1000) / 1e5).toFixed(5),
      feeAsset: pick(random, ['USDT', 'ETH', 'BNB', 'NEW', null]),
      time,
    };
  });
}

function randomPolls(random: () => number, fills: readonly ExchangeTrade[]): ExchangeTrade[][] {
  const waiting = fills
    .map((fill) => ({ fill, at: random() < 0.3 ? random() * fills.length : fills.indexOf(fill) }))
    .sort((one, other) => one.at - other.at)
    .map(({ fill }) => fill);
  const polls: ExchangeTrade[][] = [];
  for (let from = 0; from < waiting.length; ) {
    const to = from + 1 + Math.floor(random() * fills.length);
    polls.push(waiting.slice(Math.max(0, from - Math.floor(random() * 3)), to));
    from = to;
  }
  return polls;
}

async function insertGrids({ context, rows }: Harness, names: string[]): Promise<GridRow[]> {
  const ledger = { feesUnpriced: {}, lastFillAt: null };
  await rows(
    `INSERT INTO grid (grid_id, name, exchange, simulated, symbol, mode, spacing, lower_price, upper_price,
       grid_count, order_amount, fee_rate, tick_size, client_order_prefix, levels, status, created_at, ledger,
       trades_watermark, initial_base, initial_cost)
     SELECT name, name, name, false, 'ETH/USDT', 'external', 'arithmetic', 3000, 3400, 4, 0.1, 0.001, 0.01, name, $2,
       'active', now(), $3, now(), 2, 6400 FROM unnest($1::text[]) AS made (name)`,
    [names, LEVELS, ledger],
  );
  return readGrids(context.db.pool, 'WHERE grid_id = ANY($1)', [names]);
}

async function booksAfter(
  { context: { db } }: Harness,
  grid: GridRow,
  polls: readonly ExchangeTrade[][],
): Promise<GridRow['ledger']> {
  return inSqlTransaction(db.pool, async (tx) => {
    let { ledger } = grid;
    for (const [index, poll] of polls.entries()) {
      const isKnown = index >= Math.floor(polls.length / 2);
      const prices: Record<string, number> = { BNB: 580.123, ...(isKnown && { NEW: 1.5 }) };
      const priceIn = (asset: string) => (prices[asset] ? decimal(prices[asset]) : null);
      const books = await bookFills(tx, { ...grid, ledger }, poll, priceIn);
      ledger = JSON.parse(JSON.stringify(books));
    }
    return ledger;
  });
}

export async function differingMonths(
  harness: Harness,
  { months, orders, size, seed }: { months: number; orders: number; size: number; seed: number },
): Promise<string[]> {
  const random = randomFrom(seed);
  const differing: string[] = [];
  for (let month = 0; month < months; month++) {
    const fills = randomMonth(random, size);
    const names = Array.from({ length: orders }, (_, order) => `${seed}-${month}-${order}`);
    const grids = await insertGrids(harness, names);
    const seen = await Promise.all(
      grids.map(async (grid, order) => {
        const polls = order === 0 ? [fills, fills] : randomPolls(random, fills);
        return JSON.stringify(await booksAfter(harness, grid, polls));
      }),
    );
    if (new Set(seen).size > 1) differing.push(`month ${month} of seed ${seed}`);
  }
  return differing;
}
