import type { Sql } from '@switchyard/db';
import { decimal } from '../../../decimal';
import { nearestLevel } from '../levels';
import type { GridRow } from '../read-grids';
import { applyFill, type Ledger, openLedger } from './ledger';
import type { Fill } from './trips';

const CHECKPOINT_EVERY = 200;

export type BooksOf = Pick<GridRow, 'gridId' | 'symbol' | 'levels' | 'clientOrderPrefix'> &
  Pick<
    GridRow,
    'initialBase' | 'initialCost' | 'rebasedAt' | 'ledger' | 'baseBooks' | 'fillsDeletedUntil'
  >;

export const rebuildBooks = (tx: Sql, grid: BooksOf): Promise<Ledger> =>
  foldBooks(tx, grid, new Date(0));

/**
 * Recomputes a grid's books after fills since `changedAt` were added or changed. The result depends
 * only on the stored fills, not on their order of arrival. The caller must hold the lock on the
 * grid's row.
 */
export async function foldBooks(tx: Sql, grid: BooksOf, changedAt: Date): Promise<Ledger> {
  const start = await booksBefore(tx, grid, changedAt);
  const rows = await readFills(tx, grid, start.lastFillAt);
  const checkpoints: Checkpoint[] = [];
  let ledger = start;
  let passed = checkpointsIn(start);
  for (const [index, row] of rows.entries()) {
    const lastFillAt = row.traded_at.toISOString();
    ledger = { ...applyRow(ledger, grid, row), lastFillAt };
    const isLast = rows[index + 1]?.traded_at.getTime() !== row.traded_at.getTime();
    if (checkpointsIn(ledger) === passed || !isLast) continue;
    checkpoints.push({ id: row.id, books: ledger });
    passed = checkpointsIn(ledger);
  }
  if (checkpoints.length > 0) await tx.query(SET_CHECKPOINTS, [JSON.stringify(checkpoints)]);
  return ledger;
}

const checkpointsIn = ({ buys, sells }: Ledger) => Math.floor((buys + sells) / CHECKPOINT_EVERY);

interface Checkpoint {
  id: string;
  books: Ledger;
}

const SET_CHECKPOINTS = `
  UPDATE trade SET books = made.books
  FROM json_to_recordset($1::json) AS made (id bigint, books jsonb) WHERE trade.id = made.id`;

const CLEAR_CHECKPOINTS =
  'UPDATE trade SET books = NULL WHERE grid_id = $1 AND traded_at >= $2 AND books IS NOT NULL';

const CHECKPOINT = `
  SELECT books FROM trade
  WHERE grid_id = $1 AND traded_at >= $3 AND traded_at < $2 AND books IS NOT NULL
  ORDER BY traded_at DESC LIMIT 1`;

/** Ignores fills before the last rebase, because the holdings at the rebase include them. */
const startOf = ({ rebasedAt, fillsDeletedUntil }: BooksOf): Date =>
  new Date(Math.max(Number(rebasedAt), Number(fillsDeletedUntil)));

async function booksBefore(tx: Sql, grid: BooksOf, changedAt: Date): Promise<Ledger> {
  const head = grid.ledger as unknown as Ledger;
  if (head.lastFillAt && Date.parse(head.lastFillAt) < changedAt.getTime()) return head;
  await tx.query(CLEAR_CHECKPOINTS, [grid.gridId, changedAt]);
  const found = [grid.gridId, changedAt, startOf(grid)];
  const { rows } = await tx.query<{ books: Ledger }>(CHECKPOINT, found);
  const base = grid.baseBooks as unknown as Ledger | null;
  return rows[0]?.books ?? base ?? openLedger(decimal(grid.initialBase), decimal(grid.initialCost));
}

export interface FillRow {
  id: string;
  grid_id: string;
  trade_id: string;
  order_id: string | null;
  client_order_id: string | null;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  fee: string;
  fee_asset: string | null;
  fee_price: string | null;
  order_price: string | null;
  traded_at: Date;
}

/**
 * Orders fills of one millisecond by numeric id. For other ids buys come first, because coins must
 * be bought before they are sold.
 */
const IN_ORDER = `traded_at,
  CASE WHEN trade_id ~ '^[0-9]+$' THEN 0 WHEN side = 'buy' THEN 1 ELSE 2 END,
  length(trade_id), trade_id COLLATE "C"`;

const COLUMNS = `id::text, grid_id, trade_id, order_id, client_order_id, side, price, amount, fee, fee_asset, fee_price,
  order_price, traded_at`;

const FILLS = `
  SELECT ${COLUMNS} FROM trade
  WHERE grid_id = $1 AND traded_at >= $2 AND ($3::timestamptz IS NULL OR traded_at > $3)
  ORDER BY ${IN_ORDER}`;

async function readFills(tx: Sql, grid: BooksOf, after: string | null): Promise<FillRow[]> {
  const { rows } = await tx.query<FillRow>(FILLS, [grid.gridId, startOf(grid), after]);
  return rows;
}

export const NEWEST_FILLS = `
  SELECT * FROM (
    SELECT own.* FROM unnest($1::text[]) AS grid (id) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM trade WHERE grid_id = grid.id ORDER BY traded_at DESC LIMIT $2
    ) AS own
  ) AS newest ORDER BY ${IN_ORDER}`;

function applyRow(ledger: Ledger, grid: BooksOf, row: FillRow): Ledger {
  const [base = '', quote = ''] = grid.symbol.split('/');
  return applyFill(ledger, fillOf(grid, row), base, quote);
}

export function fillOf(grid: BooksOf, row: FillRow): Fill {
  return {
    side: row.side,
    price: decimal(row.price),
    amount: decimal(row.amount),
    fee: decimal(row.fee),
    feeAsset: row.fee_asset,
    feePrice: row.fee_price === null ? null : decimal(row.fee_price),
    level: levelOf(grid, row),
  };
}

/**
 * Returns the level of the filled order, regardless of the fill price; null for the initial
 * purchase.
 */
function levelOf(grid: BooksOf, row: FillRow): number | null {
  if (row.client_order_id === `${grid.clientOrderPrefix}-start`) return null;
  return nearestLevel(grid.levels.map(decimal), decimal(row.order_price ?? row.price));
}
