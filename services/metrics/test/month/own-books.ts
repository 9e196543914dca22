import { type Decimal, decimal } from '../../src/decimal';
import type { TradedFill } from './traded-grid';

export interface Counted extends TradedFill {
  feePrice: Decimal;
}

export function booksOf(
  symbol: string,
  start: { base: string; cost: string },
  fills: readonly Counted[],
  mark: Decimal,
) {
  const [base, quote] = symbol.split('/');
  const sum = (of: (fill: Counted) => Decimal, rows = fills) =>
    rows.reduce((total, fill) => total.plus(of(fill)), decimal(0));
  const worthOf = ({ price, amount }: Counted) => decimal(price).times(amount);
  const buys = fills.filter(({ side }) => side === 'buy');
  const sells = fills.filter(({ side }) => side === 'sell');
  const inBase = fills.filter(({ feeAsset }) => feeAsset === base);
  const others = fills.filter(({ feeAsset }) => feeAsset !== base);
  const bought = sum(worthOf, buys);
  const sold = sum(worthOf, sells);
  const feesQuote = sum(
    ({ fee, feeAsset, feePrice }) => (feeAsset === quote ? decimal(fee) : feePrice.times(fee)),
    others,
  );
  const ofInventory = sum(({ fee, price }) => decimal(fee).times(price), inBase);
  const held = decimal(start.base)
    .plus(sum(({ amount }) => decimal(amount), buys))
    .minus(sum(({ amount }) => decimal(amount), sells));
  const inventory = held.minus(sum(({ fee }) => decimal(fee), inBase));
  const cash = sold.minus(bought).minus(start.cost);
  const total = cash.minus(feesQuote).plus(inventory.times(mark));
  const pairs = pairsOf(fills);
  const lost = held.minus(inventory).times(mark);
  const rest = cash.plus(held.times(mark)).minus(pairs).minus(lost).plus(ofInventory);
  return {
    bought,
    sold,
    feesQuote,
    feesTotal: feesQuote.plus(ofInventory),
    inventory,
    total,
    pairs,
    rest,
  };
}

function pairsOf(fills: readonly Counted[]): Decimal {
  let earned = decimal(0);
  const lots = new Map<number, { amount: Decimal; paid: Decimal }>();
  for (const { side, level, price, amount } of fills) {
    if (side === 'buy') {
      const lot = lots.get(level) ?? { amount: decimal(0), paid: decimal(0) };
      const paid = lot.paid.plus(decimal(price).times(amount));
      lots.set(level, { amount: lot.amount.plus(amount), paid });
      continue;
    }
    const lot = lots.get(level - 1);
    if (!lot || lot.amount.isZero()) continue;
    const part = lot.amount.lt(amount) ? lot.amount : decimal(amount);
    const paid = lot.paid.times(part).div(lot.amount);
    earned = earned.plus(part.times(price)).minus(paid);
    lots.set(level - 1, { amount: lot.amount.minus(part), paid: lot.paid.minus(paid) });
  }
  return earned;
}
