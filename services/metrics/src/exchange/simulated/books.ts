import type { MetricsDatabase, MetricsReader } from '@switchyard/db';
import { decimal } from '../../decimal';
import type { ExchangeTrade, GridPlacement, OpenOrder } from '../port';
import { advanceBook, type BookOrder, orderOn } from './advance-book';
import type { PricePath } from './price-path';

/** The order and fill book of the simulated exchange; in the database, so that a restart loses nothing. */
export interface Books {
  open(grid: GridPlacement, path: PricePath, now: number): Promise<void>;
  close(gridId: string): Promise<void>;
  /** Walks every book of the symbol up to `now`. */
  advance(symbol: string, path: PricePath, now: number): Promise<void>;
  openOrders(symbol?: string): Promise<(OpenOrder & { symbol: string })[]>;
  trades(symbol: string, since: number): Promise<ExchangeTrade[]>;
  /** Bought less sold, and what was paid for it, of each symbol. */
  flows(): Promise<{ symbol: string; base: string; quote: string }[]>;
}

type OrderRow = Awaited<ReturnType<MetricsReader['simOrder']['findMany']>>[number];

const bookOrder = (row: OrderRow): BookOrder => ({
  orderId: row.orderId,
  level: row.level,
  side: row.side as 'buy' | 'sell',
  price: row.price.toFixed(),
  amount: row.amount.toFixed(),
  placedAt: row.placedAt.getTime(),
});

const orderRow = (gridId: string, symbol: string, order: BookOrder) => {
  const { placedAt, ...rest } = order;
  return { ...rest, gridId, symbol, status: 'open', placedAt: new Date(placedAt) };
};

async function walk(tx: MetricsReader, gridId: string, path: PricePath, now: number) {
  await tx.$queryRaw`SELECT 1 FROM sim_book WHERE grid_id = ${gridId} FOR UPDATE`;
  const row = await tx.simBook.findUnique({ where: { gridId } });
  if (!row) return;
  const open = await tx.simOrder.findMany({ where: { gridId, status: 'open' } });
  const { prefix, levels, sequence, symbol } = row;
  const book = {
    prefix,
    levels,
    sequence,
    amount: row.amount.toFixed(),
    feeRate: row.feeRate.toFixed(),
    advancedTo: row.advancedTo.getTime(),
  };
  const done = advanceBook(book, open.map(bookOrder), path, now);
  if (done.advancedTo === book.advancedTo) return;
  if (done.placed.length > 0) {
    await tx.simOrder.createMany({
      data: done.placed.map((order) => orderRow(gridId, symbol, order)),
    });
  }
  for (const { order, time } of done.fills) {
    const data = { status: 'filled', filledAt: new Date(time) };
    await tx.simOrder.update({ where: { orderId: order.orderId }, data });
  }
  if (done.fills.length > 0) {
    await tx.simTrade.createMany({
      data: done.fills.map(({ order, time, fee }) => ({
        tradeId: `t-${order.orderId}`,
        orderId: order.orderId,
        symbol,
        side: order.side,
        price: order.price,
        amount: order.amount,
        fee,
        feeAsset: symbol.split('/')[1] ?? '',
        tradedAt: new Date(time),
      })),
    });
  }
  const data = { advancedTo: new Date(done.advancedTo), sequence: done.sequence };
  await tx.simBook.update({ where: { gridId }, data });
}

/** Buys what the sell orders will need, then places an order on every level but the nearest to the price. */
async function openBook(tx: MetricsReader, grid: GridPlacement, path: PricePath, now: number) {
  const { gridId, symbol, prefix, amount, feeRate } = grid;
  const levels = [...grid.levels];
  const price = path(now);
  const distances = levels.map((level) => Math.abs(Number(level) - price));
  const free = distances.indexOf(Math.min(...distances));
  const orders = levels.flatMap((_, level) =>
    level === free ? [] : [orderOn(grid, level + 1, level, level < free ? 'buy' : 'sell', now)],
  );
  const sells = orders.filter((order) => order.side === 'sell').length;
  const book = { gridId, symbol, prefix, levels, amount, feeRate, sequence: levels.length };
  await tx.simBook.create({ data: { ...book, advancedTo: new Date(now) } });
  await tx.simOrder.createMany({ data: orders.map((order) => orderRow(gridId, symbol, order)) });
  if (sells === 0) return;
  const bought = decimal(amount).times(sells);
  await tx.simTrade.create({
    data: {
      tradeId: `t-${prefix}-start`,
      orderId: `${prefix}-start`,
      symbol,
      side: 'buy',
      price: price.toFixed(8),
      amount: bought.toFixed(),
      fee: bought.times(price.toFixed(8)).times(feeRate).toFixed(18),
      feeAsset: symbol.split('/')[1] ?? '',
      tradedAt: new Date(now),
    },
  });
}

export function createBooks(db: MetricsDatabase): Books {
  const { client } = db;
  return {
    open: (grid, path, now) => client.$transaction((tx) => openBook(tx, grid, path, now)),
    close: (gridId) =>
      client.$transaction(async (tx) => {
        const where = { gridId, status: 'open' };
        await tx.simOrder.updateMany({ where, data: { status: 'cancelled' } });
        await tx.simBook.deleteMany({ where: { gridId } });
      }),
    advance: async (symbol, path, now) => {
      const books = await client.simBook.findMany({
        where: { symbol },
        orderBy: { gridId: 'asc' },
      });
      const due = books.filter((book) => now - book.advancedTo.getTime() >= 60_000);
      for (const { gridId } of due) {
        await client.$transaction((tx) => walk(tx, gridId, path, now), { timeout: 10_000 });
      }
    },
    openOrders: async (symbol) => {
      const rows = await client.simOrder.findMany({
        where: { status: 'open', ...(symbol && { symbol }) },
        orderBy: { orderId: 'asc' },
      });
      return rows.map((row) => ({
        ...bookOrder(row),
        clientOrderId: row.orderId,
        symbol: row.symbol,
      }));
    },
    trades: async (symbol, since) => {
      const rows = await client.simTrade.findMany({
        where: { symbol, tradedAt: { gte: new Date(since) } },
        orderBy: [{ tradedAt: 'asc' }, { tradeId: 'asc' }],
      });
      return rows.map((row) => ({
        tradeId: row.tradeId,
        orderId: row.orderId,
        clientOrderId: row.orderId,
        side: row.side as 'buy' | 'sell',
        price: row.price.toFixed(),
        amount: row.amount.toFixed(),
        fee: row.fee.toFixed(),
        feeAsset: row.feeAsset,
        time: row.tradedAt.getTime(),
      }));
    },
    flows: async () => {
      const { rows } = await db.pool.query<{ symbol: string; base: string; quote: string }>(`
        SELECT symbol,
          sum(CASE side WHEN 'buy' THEN amount ELSE -amount END)::text AS base,
          sum(CASE side WHEN 'buy' THEN -price * amount ELSE price * amount END - fee)::text AS quote
        FROM sim_trade GROUP BY symbol`);
      return rows;
    },
  };
}
