import { type Decimal, decimal } from '../../../decimal';
import type { Fill } from './trips';
import { applyToTrips, NO_TRIPS, type Trips } from './trips';

export interface Ledger {
  inventory: string;
  cost: string;
  realised: string;
  bought: string;
  sold: string;
  fees: string;
  feesUnpriced: Record<string, string>;
  feesInBase: string;
  trips: Trips;
  buys: number;
  sells: number;
  lastFillAt: string | null;
  /** True once sales exceed known holdings; the profit then stays unknown. */
  oversold: boolean;
}

export const EMPTY_LEDGER: Ledger = {
  inventory: '0',
  cost: '0',
  realised: '0',
  bought: '0',
  sold: '0',
  fees: '0',
  feesUnpriced: {},
  feesInBase: '0',
  trips: NO_TRIPS,
  buys: 0,
  sells: 0,
  lastFillAt: null,
  oversold: false,
};

export const openLedger = (base: Decimal, cost: Decimal): Ledger => ({
  ...EMPTY_LEDGER,
  inventory: base.toFixed(),
  cost: cost.toFixed(),
});

/**
 * Uses average cost: a buy adds its cost and fee, and a sell realises profit against the average.
 * Invariant: realised + unrealised = sold − bought − fees + inventory × mark − initial cost.
 */
export function applyFill(ledger: Ledger, fill: Fill, base: string, quote: string): Ledger {
  const value = fill.price.times(fill.amount);
  const { inBase, inQuote, isUnpriced } = feeOf(fill, base, quote);
  const inventory = decimal(ledger.inventory);
  const cost = decimal(ledger.cost);
  const asset = fill.feeAsset ?? 'unknown';
  const common = {
    fees: plus(ledger.fees, inQuote),
    feesUnpriced: isUnpriced
      ? { ...ledger.feesUnpriced, [asset]: plus(ledger.feesUnpriced[asset] ?? '0', fill.fee) }
      : ledger.feesUnpriced,
    feesInBase: plus(ledger.feesInBase, inBase.times(fill.price)),
    trips: applyToTrips(ledger.trips, fill),
  };
  if (fill.side === 'buy') {
    return {
      ...ledger,
      ...common,
      inventory: inventory.plus(fill.amount).minus(inBase).toFixed(),
      cost: cost.plus(value).plus(inQuote).toFixed(),
      bought: plus(ledger.bought, value),
      buys: ledger.buys + 1,
    };
  }
  const out = fill.amount.plus(inBase);
  const isLast = inventory.eq(out);
  const costOut = isLast || inventory.isZero() ? cost : cost.times(out).div(inventory);
  return {
    ...ledger,
    ...common,
    inventory: inventory.minus(out).toFixed(),
    cost: cost.minus(costOut).toFixed(),
    realised: plus(ledger.realised, value.minus(costOut).minus(inQuote)),
    sold: plus(ledger.sold, value),
    sells: ledger.sells + 1,
    oversold: ledger.oversold || out.gt(inventory),
  };
}

export function profitAt(ledger: Ledger, mark: Decimal) {
  if (ledger.oversold) {
    return { avgCost: null, realised: null, unrealised: null, total: null, ofInventory: null };
  }
  const inventory = decimal(ledger.inventory);
  const cost = decimal(ledger.cost);
  const realised = decimal(ledger.realised);
  const unrealised = inventory.times(mark).minus(cost);
  const total = realised.plus(unrealised);
  return {
    avgCost: inventory.isZero() ? null : cost.div(inventory),
    realised,
    unrealised,
    total,
    ofInventory: total.minus(ledger.trips.profit).plus(feesOf(ledger)),
  };
}

export const feesOf = ({ fees, feesInBase }: Ledger): Decimal => decimal(fees).plus(feesInBase);

export function feeOf(fill: Fill, base: string, quote: string) {
  const none = decimal(0);
  if (fill.fee.isZero()) return { inBase: none, inQuote: none, isUnpriced: false };
  if (fill.feeAsset === base) return { inBase: fill.fee, inQuote: none, isUnpriced: false };
  if (fill.feeAsset === quote) return { inBase: none, inQuote: fill.fee, isUnpriced: false };
  if (!fill.feePrice) return { inBase: none, inQuote: none, isUnpriced: true };
  return { inBase: none, inQuote: fill.fee.times(fill.feePrice), isUnpriced: false };
}

const plus = (text: string, value: Decimal) => decimal(text).plus(value).toFixed();
