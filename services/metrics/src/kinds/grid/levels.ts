import { type Decimal, decimal } from '../../decimal';

export interface GridShape {
  spacing: 'arithmetic' | 'geometric';
  lower: Decimal;
  upper: Decimal;
  count: number;
  round(price: Decimal): Decimal;
}

export function levelPrices({ spacing, lower, upper, count, round }: GridShape): Decimal[] {
  const ratio = upper.div(lower);
  return Array.from({ length: count + 1 }, (_, index) => {
    const price =
      spacing === 'arithmetic'
        ? lower.plus(upper.minus(lower).times(index).div(count))
        : lower.times(ratio.pow(decimal(index).div(count)));
    return round(price);
  });
}

export function areDistinct(levels: readonly Decimal[]): boolean {
  return levels.every((level, index) => index === 0 || level.gt(levels[index - 1] as Decimal));
}

export function nearestLevel(levels: readonly Decimal[], price: Decimal): number {
  let best = 0;
  levels.forEach((level, index) => {
    const gap = level.minus(price).abs();
    if (gap.lt((levels[best] as Decimal).minus(price).abs())) best = index;
  });
  return best;
}
