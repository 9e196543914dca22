import { type Decimal, decimalText, optionalDecimalText } from '../../decimal';
import type { OpenOrder } from '../../exchange/port';
import { feesOf, type Ledger, profitAt } from './books/ledger';
import { tripsDone } from './books/trips';
import { nearestLevel } from './levels';
import { type GridIdentity, matchOrders } from './orders/match-orders';

export interface GridObservation extends GridIdentity {
  orders: readonly OpenOrder[];
  unexplained: readonly { reason: string }[];
  ledger: Ledger;
  mark: Decimal;
  capital: Decimal;
  orderAmount: Decimal;
}

type OutOfRange = 'none' | 'below' | 'above';

const OVERSOLD =
  'sales exceed known holdings: profit is unknown until POST /grids/{grid_id}/rebase sets the amount held';

const UNKNOWN = { realised: null, unrealised: null, total: null, ofInventory: null };
const UNNAMED =
  'orders without a client id are on levels of this grid: their fills are not counted, because they may belong to another grid';

export function gridStatus(grid: GridObservation) {
  const { levels, ledger, mark } = grid;
  const lowest = levels[0] as Decimal;
  const highest = levels.at(-1) as Decimal;
  const { byLevel, unknown } = matchOrders(grid, grid.orders);
  const orders = [...byLevel.values()];
  const free = freeLevel(levels, byLevel, mark);
  const shown = levelsOf(grid, free, byLevel);
  const counts = (state: string) => shown.filter((level) => level.state === state).length;
  const unpriced = Object.keys(ledger.feesUnpriced);
  const { avgCost, ...known } = profitAt(ledger, mark);
  const profit = unpriced.length === 0 ? known : UNKNOWN;
  const outOfRange: OutOfRange = mark.lt(lowest) ? 'below' : mark.gt(highest) ? 'above' : 'none';
  const warnings = ledger.oversold ? [OVERSOLD] : [];
  if (unpriced.length > 0) {
    warnings.push(`fees in ${unpriced.join(', ')} have no price: profit is unknown`);
  }
  if (orders.some(({ clientOrderId }) => clientOrderId === null)) warnings.push(UNNAMED);
  warnings.push(...grid.unexplained.map(({ reason }) => reason));
  return {
    markPrice: decimalText(mark),
    levelsTotal: levels.length,
    levelsByState: { open: counts('open'), idle: counts('idle'), missing: counts('missing') },
    expectedOrders: levels.length - 1,
    openBuyOrders: orders.filter((order) => order.side === 'buy').length,
    openSellOrders: orders.filter((order) => order.side === 'sell').length,
    missingOrders: counts('missing'),
    unknownOrders: unknown.length,
    filledBuys: ledger.buys,
    filledSells: ledger.sells,
    roundTrips: tripsDone(ledger.trips, grid.orderAmount),
    boughtQuote: decimalText(ledger.bought),
    soldQuote: decimalText(ledger.sold),
    feesQuote: decimalText(ledger.fees),
    feesUnpriced: ledger.feesUnpriced,
    inventoryBase: decimalText(ledger.inventory),
    avgCost: optionalDecimalText(avgCost),
    realisedPnl: optionalDecimalText(profit.realised),
    unrealisedPnl: optionalDecimalText(profit.unrealised),
    totalPnl: optionalDecimalText(profit.total),
    gridProfit: decimalText(ledger.trips.profit),
    inventoryResult: optionalDecimalText(profit.ofInventory),
    feesTotal: decimalText(feesOf(ledger)),
    pnlPct: profit.total?.div(grid.capital).times(100).toNumber() ?? null,
    rangePosition: mark.minus(lowest).div(highest.minus(lowest)).toNumber(),
    outOfRange,
    levels: shown,
    warnings,
  };
}

function freeLevel(
  levels: readonly Decimal[],
  byLevel: Map<number, OpenOrder>,
  mark: Decimal,
): number {
  const nearest = nearestLevel(levels, mark);
  if (!byLevel.has(nearest)) return nearest;
  const towards = (levels[nearest] as Decimal).gt(mark) ? nearest - 1 : nearest + 1;
  const isBetween = towards >= 0 && towards < levels.length;
  return isBetween && !byLevel.has(towards) ? towards : nearest;
}

function levelsOf(grid: GridObservation, free: number, byLevel: Map<number, OpenOrder>) {
  return grid.levels.map((price, index) => {
    const order = byLevel.get(index);
    const side = order?.side ?? (index < free ? 'buy' : index > free ? 'sell' : null);
    const state = order ? 'open' : index === free ? 'idle' : 'missing';
    return { index, price: decimalText(price), side, state, order_id: order?.orderId ?? null };
  });
}
