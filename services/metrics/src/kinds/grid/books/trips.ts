import { type Decimal, decimal } from '../../../decimal';

export type Trips = {
  lots: Record<string, { amount: string; cost: string }>;
  closed: Record<string, string>;
  profit: string;
};

export const NO_TRIPS: Trips = { lots: {}, closed: {}, profit: '0' };

/**
 * A buy adds to the lot at its level. A sell reduces the lot one level below, and its profit is the
 * sale price minus the lot's average price. Sales beyond the lot come from earlier holdings and
 * count as inventory result.
 */
export function applyToTrips(trips: Trips, fill: Fill): Trips {
  const { level } = fill;
  if (level === null) return trips;
  return fill.side === 'buy' ? open(trips, level, fill) : close(trips, level - 1, fill);
}

function open(trips: Trips, level: number, { amount, price }: Fill): Trips {
  const lot = trips.lots[level];
  const all = {
    amount: decimal(lot?.amount ?? 0)
      .plus(amount)
      .toFixed(),
    cost: decimal(lot?.cost ?? 0)
      .plus(amount.times(price))
      .toFixed(),
  };
  return { ...trips, lots: { ...trips.lots, [level]: all } };
}

function close(trips: Trips, below: number, { amount, price }: Fill): Trips {
  const lot = trips.lots[below];
  if (!lot) return trips;
  const held = decimal(lot.amount);
  const sold = amount.lt(held) ? amount : held;
  const cost = sold.eq(held) ? decimal(lot.cost) : decimal(lot.cost).times(sold).div(held);
  const { [below]: _, ...others } = trips.lots;
  const rest = {
    amount: held.minus(sold).toFixed(),
    cost: decimal(lot.cost).minus(cost).toFixed(),
  };
  return {
    lots: sold.eq(held) ? others : { ...others, [below]: rest },
    closed: {
      ...trips.closed,
      [below]: decimal(trips.closed[below] ?? 0)
        .plus(sold)
        .toFixed(),
    },
    profit: decimal(trips.profit).plus(sold.times(price)).minus(cost).toFixed(),
  };
}

/**
 * Tolerance for fees in the base asset: they make the sale of a lot slightly smaller than its
 * purchase.
 */
const NEARLY_ONE = '0.01';

export function tripsDone({ closed }: Trips, orderAmount: Decimal): number {
  const done = Object.values(closed).map((amount) =>
    decimal(amount).div(orderAmount).plus(NEARLY_ONE).floor().toNumber(),
  );
  return done.reduce((sum, one) => sum + one, 0);
}

export interface Fill {
  side: 'buy' | 'sell';
  price: Decimal;
  amount: Decimal;
  fee: Decimal;
  feeAsset: string | null;
  feePrice: Decimal | null;
  level: number | null;
}
