import type { MetricsReader } from '@switchyard/db';
import { decimal, decimalText } from '../../decimal';
import type { ExchangeTrade } from '../../exchange/port';
import type { Storing } from '../kind';
import { BRIDGES } from '../load-prices';
import { type MidPrices, priceOf } from '../price-assets';
import type { GridRow, ObservedGrid } from './gather';
import { gridStatus } from './grid-status';
import { applyFill, type Ledger, priceFees } from './ledger';
import { nearestLevel } from './levels';
import { isOwnOrder } from './match-orders';
import { applyToTrips, NO_TRIPS } from './trips';

/** Grids are locked in the order of their ids, by every process alike. */
export async function storeGrids(
  { tx, common, announce }: Storing,
  seen: readonly ObservedGrid[],
): Promise<string[]> {
  if (seen.length === 0) return [];
  const observed = [...seen].sort((one, other) => (one.gridId < other.gridId ? -1 : 1));
  const ids = observed.map(({ gridId }) => gridId);
  await tx.$queryRaw`
    SELECT 1 FROM grid WHERE grid_id = ANY(${ids}) ORDER BY grid_id FOR UPDATE`;
  const data = [];
  for (const one of observed) {
    const row = await settleGrid({ tx, announce }, one, common.capturedAt);
    if (row) data.push({ ...common, ...row });
  }
  if (data.length > 0) await tx.gridSnapshot.createMany({ data });
  return data.map(({ gridId }) => gridId);
}

/**
 * Brings a grid's ledger up to what was observed. The lock on the grid's row is held, so no fill is booked twice.
 * @returns the columns of its snapshot, or null when the grid is no longer active
 */
async function settleGrid(
  { tx, announce }: Pick<Storing, 'tx' | 'announce'>,
  { gridId, orders, trades, tradesUntil, quote, prices }: ObservedGrid,
  capturedAt: Date,
) {
  const grid = await tx.grid.findUnique({ where: { gridId } });
  if (grid?.status !== 'active') return null;
  const own = trades.filter(({ clientOrderId }) =>
    isOwnOrder(grid.clientOrderPrefix, clientOrderId),
  );
  const opened = await openedLedger(tx, grid);
  const fresh = own.length > 0 ? await recordTrades(tx, grid, own) : [];
  const ledger = booked(grid, opened, fresh, prices);
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
  await tx.grid.update({
    where: { gridId },
    data: { ledger: { ...ledger }, tradesWatermark, outOfRangeSince: since },
  });
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

/** Stores the trades that were not known, and returns them: a trade counts once however often it is seen. */
async function recordTrades(tx: MetricsReader, grid: GridRow, trades: readonly ExchangeTrade[]) {
  const { exchange, symbol, gridId } = grid;
  const stored = await tx.trade.createManyAndReturn({
    data: trades.map(({ time, ...trade }) => ({
      ...trade,
      exchange,
      symbol,
      gridId,
      tradedAt: new Date(time),
    })),
    skipDuplicates: true,
    select: { tradeId: true },
  });
  const fresh = new Set(stored.map(({ tradeId }) => tradeId));
  return trades.filter(({ tradeId }) => fresh.has(tradeId));
}

const later = (at: string | null | undefined, time: number): string =>
  new Date(Math.max(at ? Date.parse(at) : time, time)).toISOString();

/** Before the new trades are stored. A ledger of an earlier release has no trips, and no time of its last fill. */
async function openedLedger(tx: MetricsReader, grid: GridRow): Promise<Ledger> {
  const ledger = grid.ledger as unknown as Ledger;
  if (ledger.trips !== undefined) return ledger;
  const { gridId, rebasedAt, tradesWatermark } = grid;
  const since = rebasedAt && { tradedAt: { gte: rebasedAt } };
  const trades = await tx.trade.findMany({
    where: { gridId, ...since },
    orderBy: [{ tradedAt: 'asc' }, { tradeId: 'asc' }],
  });
  let trips = NO_TRIPS;
  let ofInventory = decimal(0);
  const [base] = grid.symbol.split('/');
  for (const { side, price, amount, fee, feeAsset, clientOrderId } of trades) {
    const level = levelOf(grid, clientOrderId, String(price));
    const fill = {
      side: side as 'buy' | 'sell',
      price,
      amount,
      fee,
      feeAsset,
      feePrice: null,
      level,
    };
    trips = applyToTrips(trips, fill);
    if (feeAsset === base) ofInventory = ofInventory.plus(fee.times(price));
  }
  const lastFillAt =
    trades.length > 0 ? (ledger.lastFillAt ?? tradesWatermark.toISOString()) : null;
  return { ...ledger, lastFillAt, trips, feesInBase: ofInventory.toFixed() };
}

/** The nearest one: a better price than the order's own is not on it. What a grid starts with is on none. */
function levelOf(grid: GridRow, clientOrderId: string | null, price: string): number | null {
  if (clientOrderId === `${grid.clientOrderPrefix}-start`) return null;
  return nearestLevel(grid.levels.map(decimal), decimal(price));
}

function booked(
  grid: GridRow,
  opened: Ledger,
  trades: readonly ExchangeTrade[],
  prices: MidPrices,
): Ledger {
  const [base = '', quote = ''] = grid.symbol.split('/');
  const priceIn = (asset: string) => priceOf(asset, quote, prices, BRIDGES)?.price ?? null;
  let ledger = opened;
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
