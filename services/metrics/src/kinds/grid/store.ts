import { decimal, decimalText } from '../../decimal';
import { insertRows } from '../insert-rows';
import { columnMeasures, type HistoryTable, type Storing } from '../kind';
import { BRIDGES } from '../load-prices';
import { priceOf } from '../price-assets';
import { bookFills } from './books/book-fills';
import type { ObservedGrid } from './gather';
import { gridStatus } from './grid-status';
import { markGone } from './orders/mark-gone';
import { isOwnOrder } from './orders/match-orders';
import { type GridRow, readGrids } from './read-grids';

export const GRID_TABLE: HistoryTable = {
  name: 'grid',
  table: 'grid_snapshot',
  time: 'captured_at',
  key: 't.grid_id',
  filters: ['grid_id', 'symbol'],
  ofKey: { grid_id: 'key', symbol: '(SELECT symbol FROM grid WHERE grid_id = key)' },
  decimals: [
    ...['mark_price', 'bought_quote', 'sold_quote', 'fees_quote', 'inventory_base', 'avg_cost'],
    ...['realised_pnl', 'unrealised_pnl', 'total_pnl', 'grid_profit', 'inventory_result'],
    'fees_total',
  ],
  measures: columnMeasures(
    ...['total_pnl', 'realised_pnl', 'unrealised_pnl', 'mark_price', 'inventory_base'],
    ...['grid_profit', 'inventory_result', 'fees_total'],
  ),
  presence: ['mark_price'],
  ofSeries: () => 't.grid_id = $1',
  named: (gridId) => ({ grid_id: gridId }),
};

export async function storeGrids(
  storing: Storing,
  seen: readonly ObservedGrid[],
): Promise<string[]> {
  if (seen.length === 0) return [];
  const observed = [...seen].sort((one, other) => (one.gridId < other.gridId ? -1 : 1));
  const ids = observed.map(({ gridId }) => gridId);
  const locked = 'WHERE grid_id = ANY($1) ORDER BY grid_id FOR UPDATE';
  const grids = await readGrids(storing.tx, locked, [ids]);
  const byId = new Map(grids.map((grid) => [grid.gridId, grid]));
  const rows = [];
  for (const one of observed) {
    const grid = byId.get(one.gridId);
    if (grid?.status === 'active') rows.push(await settleGrid(storing, grid, one));
  }
  await insertRows(storing, GRID_TABLE.table, rows);
  return rows.map(({ gridId }) => gridId);
}

/**
 * The caller must hold the lock on the grid's row, so that no fill is counted twice.
 * @returns the columns of its snapshot
 */
async function settleGrid(
  { tx, announce, common: { capturedAt } }: Storing,
  grid: GridRow,
  observed: ObservedGrid,
) {
  const { gridId, orders, trades, unexplained, tradesUntil, quote, prices } = observed;
  const own = trades.filter(({ clientOrderId }) =>
    isOwnOrder(grid.clientOrderPrefix, clientOrderId),
  );
  const [, inQuote = ''] = grid.symbol.split('/');
  const priceIn = (asset: string) => priceOf(asset, inQuote, prices, BRIDGES)?.price ?? null;
  const ledger = await bookFills(tx, grid, own, priceIn);
  await markGone(tx, grid, observed);
  const mark = decimal(quote.mid);
  const middle = decimal(grid.lowerPrice).plus(grid.upperPrice).div(2);
  const capital = middle.times(grid.orderAmount).times(grid.gridCount);
  const status = gridStatus({
    ...identityOf(grid),
    orders,
    unexplained,
    ledger,
    mark,
    capital,
    orderAmount: decimal(grid.orderAmount),
  });
  const since = status.outOfRange === 'none' ? null : (grid.outOfRangeSince ?? capturedAt);
  if (since !== null && grid.outOfRangeSince === null) {
    announce({
      type: 'grid.out_of_range',
      data: {
        ...{ grid_id: gridId, name: grid.name, symbol: grid.symbol, side: status.outOfRange },
        ...{ mark_price: decimalText(mark), since: since.toISOString() },
        lower_price: decimalText(String(grid.lowerPrice)),
        upper_price: decimalText(String(grid.upperPrice)),
      },
    });
  }
  const tradesWatermark = new Date(Math.max(grid.tradesWatermark.getTime(), tradesUntil));
  await tx.query(
    'UPDATE grid SET ledger = $2, trades_watermark = $3, out_of_range_since = $4 WHERE grid_id = $1',
    [gridId, JSON.stringify(ledger), tradesWatermark, since],
  );
  return {
    gridId,
    symbol: grid.symbol,
    status: grid.status,
    sourceTime: quote.sourceTime,
    stale: quote.stale,
    ...status,
    outOfRangeSince: since,
    lastFillAt: ledger.lastFillAt ? new Date(ledger.lastFillAt) : null,
    tradesWatermark,
  };
}

const identityOf = (grid: GridRow) => ({
  prefix: grid.clientOrderPrefix,
  tick: decimal(grid.tickSize),
  levels: grid.levels.map(decimal),
});
