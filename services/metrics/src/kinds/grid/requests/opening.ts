import { type Decimal, decimal } from '../../../decimal';
import { refuseField } from '../../../http/invalid-request';
import { nearestLevel } from '../levels';
import type { GridRequest } from './grid-request';
import type { GridPlan } from './plan-grid';

export interface Opening {
  base: Decimal;
  cost: Decimal;
}

/**
 * A watched grid first sells coins that it already held; a simulated grid buys them with its first
 * fill.
 * @throws InvalidRequest naming the field
 */
export function openingOf(
  request: Pick<GridRequest, 'initial_base' | 'initial_cost'>,
  plan: Pick<GridPlan, 'levels' | 'orderAmount'>,
  mode: 'simulated' | 'external',
  mark: Decimal | null,
): Opening {
  const { initial_base, initial_cost } = request;
  if (mode === 'simulated') {
    const field = initial_base ? 'initial_base' : 'initial_cost';
    if (request[field]) {
      const reason = 'must be absent or 0: the simulated exchange buys the initial amount';
      throw refuseField(field, reason, request[field].toFixed());
    }
    return { base: decimal(0), cost: decimal(0) };
  }
  const base = initial_base ?? neededBy(plan, mark);
  return { base, cost: costOf(base, initial_cost, mark) };
}

export function costOf(base: Decimal, given: Decimal | undefined, mark: Decimal | null): Decimal {
  if (base.isZero() && given?.gt(0)) {
    throw refuseField('initial_cost', 'must be 0 if initial_base is 0', given.toFixed());
  }
  if (given) return given;
  if (base.isZero()) return base;
  if (!mark)
    throw refuseField('initial_cost', 'is required, because the current price is unknown', null);
  return base.times(mark);
}

function neededBy(
  { levels, orderAmount }: Pick<GridPlan, 'levels' | 'orderAmount'>,
  mark: Decimal | null,
) {
  if (!mark) return decimal(0);
  return orderAmount.times(levels.length - 1 - nearestLevel(levels, mark));
}
