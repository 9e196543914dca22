import { z } from 'zod';
import { Decimal, decimal, optionalDecimalText } from '../decimal';
import type { EquityPoint, EquitySeries, Flow } from './read-equity';

export const drawdown = z.object({
  days: z.number(),
  flow_adjusted: z.boolean(),
  peak: z.string().nullable(),
  current: z.number().nullable(),
  worst: z.number().nullable(),
  worst_at: z.string().nullable(),
});

/**
 * Returns the current and the worst fall of equity below its highest value. Excludes deposits and
 * withdrawals, so the result is null while the latest of them are unknown or unpriced. If the
 * exchange does not report deposits and withdrawals, they count as profit or loss, and
 * `flow_adjusted` is false.
 */
export function presentDrawdown({ points, flows, known }: EquitySeries) {
  const last = points.at(-1);
  const isKnown =
    !known || !last || (known.known_until >= last.at && flows.every(({ value }) => value !== null));
  const { peak, current, worst, worstAt } = drawdownOf(isKnown ? points : [], flows);
  return {
    flow_adjusted: known !== null,
    peak: optionalDecimalText(peak),
    current: current?.toNumber() ?? null,
    worst: worst?.toNumber() ?? null,
    worst_at: worstAt?.toISOString() ?? null,
  };
}

/**
 * Returns the fall of a time-weighted return index. Between two points the index is multiplied by
 * (end + withdrawn) / (start + deposited). Source: the manual of Portfolio Performance,
 * "Time-Weighted Rate of Return", equation 1. The result is an approximation, because an exact
 * return needs the equity just before each flow.
 */
export function drawdownOf(points: readonly EquityPoint[], flows: readonly Flow[]) {
  let index = decimal(1);
  let highest = index;
  // Index per unit of equity. It is constant without flows, so most points need no division.
  let ratio = index;
  let before: Decimal | null = null;
  let worst = null as { drop: Decimal; at: Date } | null;
  let next = 0;
  const fall = (to: Decimal, at: Date) => {
    if (worst && to.gte(highest.times(decimal(1).minus(worst.drop)))) return;
    worst = { drop: fallen(to, highest), at };
  };
  for (const { at, equity, first, low, high } of points) {
    const end = decimal(equity);
    let deposited = decimal(0);
    let withdrawn = decimal(0);
    for (let flow = flows[next]; flow && flow.shown_at <= at; flow = flows[++next]) {
      if (flow.type === 'deposit') deposited = deposited.plus(flow.value ?? 0);
      else withdrawn = withdrawn.plus(flow.value ?? 0);
    }
    const isMoved = !deposited.isZero() || !withdrawn.isZero();
    if (before === null) {
      if (end.gt(0)) index = end;
      highest = index;
    } else if (isMoved) {
      const start: Decimal = before.plus(deposited);
      if (start.gt(0)) index = index.times(end.plus(withdrawn)).div(start);
    } else if (before.gt(0)) {
      if (first && low && high) {
        highest = Decimal.max(highest, ratio.times(first));
        fall(ratio.times(low), at);
        highest = Decimal.max(highest, ratio.times(high));
      }
      index = ratio.times(end);
    }
    if (end.gt(0) && (isMoved || !before?.gt(0))) ratio = index.div(end);
    highest = Decimal.max(highest, index);
    fall(index, at);
    before = end;
  }
  return {
    peak: index.gt(0) ? before?.times(highest).div(index) : null,
    current: before && fallen(index, highest),
    worst: worst?.drop,
    worstAt: worst?.at,
  };
}

const fallen = (index: Decimal, highest: Decimal): Decimal => decimal(1).minus(index.div(highest));
