import { inSqlTransaction, type MetricsDatabase, type Sql } from '@switchyard/db';
import { decimal } from '../../decimal';
import type { ExchangeTrade, GridPlacement, OpenOrder } from '../port';
import { advanceBook, type BookOrder, orderOn } from './advance-book';
import type { PricePath } from './price-path';

export interface Books {
  open(grid: GridPlacement, path: PricePath, now: number): Promise<void>;
  close(gridId: string): Promise<void>;
  advance(symbol: string, path: PricePath, now: number): Promise<void>;
  symbols(): Promise<string[]>;
  openOrders(symbol?: string): Promise<(OpenOrder & { symbol: string })[]>;
  trades(symbol: string, since: number): Promise<ExchangeTrade[]>;
  flows(): Promise<{ symbol: string; base: string; quote: string }[]>;
}

interface OrderRow extends Omit<BookOrder, 'placedAt'> {
  symbol: string;
  placedAt: Date;
}

interface BookRow {
  symbol: string;
  prefix: string;
  levels: string[];
  sequence: number;
  amount: string;
  feeRate: string;
  advancedTo: Date;
}

const ORDER = `
  SELECT order_id AS "orderId", symbol, level, side, trim_scale(price)::text AS price,
    trim_scale(amount)::text AS amount, placed_at AS "placedAt"
  FROM sim_order`;

const BOOK = `
  SELECT symbol, prefix, levels, sequence, trim_scale(amount)::text AS amount, trim_scale(fee_rate)::text AS "feeRate",
    advanced_to AS "advancedTo"
  FROM sim_book`;

const bookOrder = ({ symbol: _, placedAt, ...order }: OrderRow): BookOrder => ({
  ...order,
  placedAt: placedAt.getTime(),
});

async function place(tx: Sql, gridId: string, symbol: string, orders: readonly BookOrder[]) {
  const rows = orders.map(({ orderId, placedAt, ...order }) => ({
    ...order,
    order_id: orderId,
    placed_at: new Date(placedAt).toISOString(),
  }));
  await tx.query(
    `INSERT INTO sim_order (grid_id, symbol, status, order_id, level, side, price, amount, placed_at)
     SELECT $1, $2, 'open', order_id, level, side, price, amount, placed_at
     FROM json_populate_recordset(NULL::sim_order, $3::json)`,
    [gridId, symbol, JSON.stringify(rows)],
  );
}

interface Traded {
  tradeId: string;
  orderId: string;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  fee: string;
  time: number;
}

async function book(tx: Sql, symbol: string, traded: readonly Traded[]) {
  const rows = traded.map(({ tradeId, orderId, time, ...trade }) => ({
    ...trade,
    trade_id: tradeId,
    order_id: orderId,
    traded_at: new Date(time).toISOString(),
  }));
  await tx.query(
    `INSERT INTO sim_trade (symbol, fee_asset, trade_id, order_id, side, price, amount, fee, traded_at)
     SELECT $1, $2, trade_id, order_id, side, price, amount, fee, traded_at
     FROM json_populate_recordset(NULL::sim_trade, $3::json)`,
    [symbol, symbol.split('/')[1] ?? '', JSON.stringify(rows)],
  );
}

async function walk(tx: Sql, gridId: string, path: PricePath, now: number) {
  const { rows } = await tx.query<BookRow>(`${BOOK} WHERE grid_id = $1 FOR UPDATE`, [gridId]);
  const [row] = rows;
  if (!row) return;
  const ofGrid = `${ORDER} WHERE grid_id = $1 AND status = 'open'`;
  const { rows: open } = await tx.query<OrderRow>(ofGrid, [gridId]);
  const { symbol, ...known } = row;
  const at = { ...known, advancedTo: row.advancedTo.getTime() };
  const done = advanceBook(at, open.map(bookOrder), path, now);
  if (done.advancedTo === at.advancedTo) return;
  if (done.placed.length > 0) await place(tx, gridId, symbol, done.placed);
  if (done.fills.length > 0) {
    const ids = done.fills.map(({ order }) => order.orderId);
    const times = done.fills.map(({ time }) => new Date(time).toISOString());
    await tx.query(
      `UPDATE sim_order SET status = 'filled', filled_at = fill.time
       FROM unnest($1::text[], $2::timestamptz[]) AS fill (id, time) WHERE order_id = fill.id`,
      [ids, times],
    );
    const traded = done.fills.map(({ order: { orderId, side, price, amount }, time, fee }) => ({
      ...{ tradeId: `t-${orderId}`, orderId, side, price, amount, fee, time },
    }));
    await book(tx, symbol, traded);
  }
  await tx.query('UPDATE sim_book SET advanced_to = $2, sequence = $3 WHERE grid_id = $1', [
    ...[gridId, new Date(done.advancedTo), done.sequence],
  ]);
}

async function openBook(tx: Sql, grid: GridPlacement, path: PricePath, now: number) {
  const { gridId, symbol, prefix, amount, feeRate } = grid;
  const levels = [...grid.levels];
  const price = path(now);
  const distances = levels.map((level) => Math.abs(Number(level) - price));
  const free = distances.indexOf(Math.min(...distances));
  const orders = levels.flatMap((_, level) =>
    level === free ? [] : [orderOn(grid, level + 1, level, level < free ? 'buy' : 'sell', now)],
  );
  const sells = orders.filter((order) => order.side === 'sell').length;
  await tx.query(
    `INSERT INTO sim_book (grid_id, symbol, prefix, levels, amount, fee_rate, sequence, advanced_to)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [gridId, symbol, prefix, levels, amount, feeRate, levels.length, new Date(now)],
  );
  await place(tx, gridId, symbol, orders);
  if (sells === 0) return;
  const bought = decimal(amount).times(sells);
  const fee = bought.times(price.toFixed(8)).times(feeRate).toFixed(18);
  const first = { tradeId: `t-${prefix}-start`, orderId: `${prefix}-start`, side: 'buy' as const };
  const traded = { ...first, price: price.toFixed(8), amount: bought.toFixed(), fee, time: now };
  await book(tx, symbol, [traded]);
}

export function createBooks({ pool }: MetricsDatabase): Books {
  return {
    open: (grid, path, now) => inSqlTransaction(pool, (tx) => openBook(tx, grid, path, now)),
    close: (gridId) =>
      inSqlTransaction(pool, async (tx) => {
        await tx.query(
          "UPDATE sim_order SET status = 'cancelled' WHERE grid_id = $1 AND status = 'open'",
          [gridId],
        );
        await tx.query('DELETE FROM sim_book WHERE grid_id = $1', [gridId]);
      }),
    advance: async (symbol, path, now) => {
      const { rows } = await pool.query<{ grid_id: string }>(
        'SELECT grid_id FROM sim_book WHERE symbol = $1 AND advanced_to <= $2 ORDER BY grid_id',
        [symbol, new Date(now - 60_000)],
      );
      for (const { grid_id } of rows) {
        await inSqlTransaction(pool, (tx) => walk(tx, grid_id, path, now));
      }
    },
    symbols: async () => {
      const { rows } = await pool.query<{ symbol: string }>(
        'SELECT DISTINCT symbol FROM sim_book ORDER BY symbol',
      );
      return rows.map(({ symbol }) => symbol);
    },
    openOrders: async (symbol) => {
      const { rows } = await pool.query<OrderRow>(
        `${ORDER} WHERE status = 'open' AND ($1::text IS NULL OR symbol = $1) ORDER BY order_id`,
        [symbol ?? null],
      );
      return rows.map((row) => ({
        ...bookOrder(row),
        clientOrderId: row.orderId,
        symbol: row.symbol,
        filled: '0',
      }));
    },
    trades: async (symbol, since) => {
      const { rows } = await pool.query<Omit<ExchangeTrade, 'time'> & { time: Date }>(
        `SELECT trade_id AS "tradeId", order_id AS "orderId", order_id AS "clientOrderId", side,
           trim_scale(price)::text AS price, trim_scale(amount)::text AS amount, trim_scale(fee)::text AS fee,
           fee_asset AS "feeAsset", order_id NOT LIKE '%-start' AS "isMaker", traded_at AS time
         FROM sim_trade WHERE symbol = $1 AND traded_at >= $2 ORDER BY traded_at, trade_id`,
        [symbol, new Date(since)],
      );
      return rows.map(({ time, ...trade }) => ({ ...trade, time: time.getTime() }));
    },
    flows: async () => {
      const { rows } = await pool.query<{ symbol: string; base: string; quote: string }>(`
        SELECT symbol,
          sum(CASE side WHEN 'buy' THEN amount ELSE -amount END)::text AS base,
          sum(CASE side WHEN 'buy' THEN -price * amount ELSE price * amount END - fee)::text AS quote
        FROM sim_trade GROUP BY symbol`);
      return rows;
    },
  };
}
