import type { Sql } from '@switchyard/db';
import { decimal, decimalText } from '../../decimal';
import type { ExchangeTrade } from '../../exchange/port';
import { insertRows } from '../insert-rows';
import type { Storing } from '../kind';
import { BRIDGES } from '../load-prices';
import { type MidPrices, priceOf } from '../price-assets';
import { GRID_TABLE } from './columns';
import type { ObservedGrid } from './gather';
import { gridStatus } from './grid-status';
import { applyFill, type Ledger, priceFees } from './ledger';
import { nearestLevel } from './levels';
import { isOwnOrder } from './match-orders';
import { type GridRow, readGrids } from './read-grids';

/** Grids are locked in the order of their ids, by every process alike. */
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
 * Brings a grid's ledger up to what was observed. The lock on the grid's row is held, so no fill is booked twice.
 * @returns the columns of its snapshot
 */
async function settleGrid(
  { tx, announce, common: { capturedAt } }: Storing,
  grid: GridRow,
  { gridId, orders, trades, tradesUntil, quote, prices }: ObservedGrid,
) {
  const own = trades.filter(({ clientOrderId }) =>
    isOwnOrder(grid.clientOrderPrefix, clientOrderId),
  );
  const fresh = own.length > 0 ? await recordTrades(tx, grid, own) : [];
  const ledger = booked(grid, fresh, prices);
  const mark = decimal(quote.mid);
  const middle = decimal(grid.lowerPrice).plus(grid.upperPrice).div(2);
  const capital = middle.times(grid.orderAmount).times(grid.gridCount);
  const status = gridStatus({
    ...identityOf(grid),
    orders,
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

const TRADE_COLUMNS = `exchange, symbol, grid_id, trade_id, order_id, client_order_id, side, price, amount, fee,
  fee_asset, traded_at`;

const TRADES = `
  INSERT INTO trade (${TRADE_COLUMNS})
  SELECT ${TRADE_COLUMNS} FROM json_populate_recordset(NULL::trade, $1::json)
  ON CONFLICT DO NOTHING RETURNING trade_id`;

/** Stores the trades that were not known, and returns them: a trade counts once however often it is seen. */
async function recordTrades(tx: Sql, grid: GridRow, trades: readonly ExchangeTrade[]) {
  const { exchange, symbol, gridId } = grid;
  const rows = trades.map(({ time, ...trade }) => ({
    ...{ exchange, symbol, grid_id: gridId, trade_id: trade.tradeId, order_id: trade.orderId },
    ...{ client_order_id: trade.clientOrderId, side: trade.side, price: trade.price },
    ...{ amount: trade.amount, fee: trade.fee, fee_asset: trade.feeAsset },
    traded_at: new Date(time).toISOString(),
  }));
  const { rows: stored } = await tx.query<{ trade_id: string }>(TRADES, [JSON.stringify(rows)]);
  const fresh = new Set(stored.map((row) => row.trade_id));
  return trades.filter(({ tradeId }) => fresh.has(tradeId));
}

const later = (at: string | null, time: number): string =>
  new Date(Math.max(at ? Date.parse(at) : time, time)).toISOString();

/** The nearest one: a better price than the order's own is not on it. What a grid starts with is on none. */
function levelOf(grid: GridRow, clientOrderId: string | null, price: string): number | null {
  if (clientOrderId === `${grid.clientOrderPrefix}-start`) return null;
  return nearestLevel(grid.levels.map(decimal), decimal(price));
}

function booked(grid: GridRow, trades: readonly ExchangeTrade[], prices: MidPrices): Ledger {
  const [base = '', quote = ''] = grid.symbol.split('/');
  const priceIn = (asset: string) => priceOf(asset, quote, prices, BRIDGES)?.price ?? null;
  let ledger = grid.ledger as unknown as Ledger;
  for (const trade of trades) {
    if (grid.rebasedAt && trade.time < grid.rebasedAt.getTime()) continue;
    const fill = {
      side: trade.side,
      price: decimal(trade.price),
      amount: decimal(trade.amount),
      fee: decimal(trade.fee),
      feeAsset: trade.feeAsset,
      feePrice: trade.feeAsset ? priceIn(trade.feeAsset) : null,
      level: levelOf(grid, trade.clientOrderId, trade.price),
    };
    const lastFillAt = later(ledger.lastFillAt, trade.time);
    ledger = { ...applyFill(ledger, fill, base, quote), lastFillAt };
  }
  return priceFees(ledger, priceIn);
}
