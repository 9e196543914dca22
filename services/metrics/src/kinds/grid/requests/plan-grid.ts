import { type Decimal, decimal } from '../../../decimal';
import type { Market } from '../../../exchange/port';
import { refuseField } from '../../../http/invalid-request';
import { areDistinct, levelPrices } from '../levels';
import type { GridRequest } from './grid-request';

const DEFAULT_FEE = '0.001';
const LARGEST_TOTAL = '1e15';

export interface GridPlan {
  levels: Decimal[];
  orderAmount: Decimal;
  feeRate: Decimal;
}

export function planGrid(request: GridRequest, market: Market): GridPlan {
  const { lower_price: lower, upper_price: upper, grid_count: count } = request;
  if (lower.gte(upper)) {
    throw refuseField('upper_price', 'upper_price must be above lower_price', upper.toFixed());
  }
  const levels = levelPrices({
    spacing: request.spacing,
    lower,
    upper,
    count,
    round: market.roundPrice,
  });
  if (!areDistinct(levels) || !levels[0]?.gt(0)) {
    throw refuseField(
      'grid_count',
      'several levels have the same price on the tick size of this market: use fewer levels or a wider range',
      count,
    );
  }
  const feeRate = request.fee_rate ?? decimal(DEFAULT_FEE);
  if (!earnsOnEachTrip(levels, feeRate)) {
    throw refuseField(
      'grid_count',
      'the step must be larger than the fees of a round trip: use fewer levels or a wider range',
      count,
    );
  }
  const orderAmount = orderAmountOf(request, market, levels, feeRate);
  const field = request.order_amount ? 'order_amount' : 'total_quote';
  const given = (request.order_amount ?? request.total_quote)?.toFixed();
  if (orderAmount.times(levels[0]).lt(market.minCost) || orderAmount.isZero()) {
    const reason = `an order would be below the minimum of ${market.minCost} ${market.quote}`;
    throw refuseField(field, reason, given);
  }
  if (orderAmount.lt(market.minAmount)) {
    const reason = `an order would be below the minimum of ${market.minAmount} ${market.base}`;
    throw refuseField(field, reason, given);
  }
  if (orderAmount.times(upper).times(count).gt(LARGEST_TOTAL)) {
    const reason = `the order amount × upper_price × grid_count must be at most ${LARGEST_TOTAL}`;
    throw refuseField(field, reason, given);
  }
  return { levels, orderAmount, feeRate };
}

function earnsOnEachTrip(levels: readonly Decimal[], feeRate: Decimal): boolean {
  return levels.slice(1).every((high, index) => {
    const low = levels[index] as Decimal;
    return high.minus(low).gt(high.plus(low).times(feeRate));
  });
}

function orderAmountOf(
  request: GridRequest,
  market: Market,
  levels: readonly Decimal[],
  feeRate: Decimal,
): Decimal {
  const { total_quote, order_amount } = request;
  if ((total_quote === undefined) === (order_amount === undefined)) {
    throw refuseField('total_quote', 'set either total_quote or order_amount', total_quote ?? null);
  }
  const sum = levels.reduce((total, level) => total.plus(level), decimal(0));
  const rate = feeRate.gt(0) ? feeRate : decimal(0);
  const wanted = order_amount ?? (total_quote as Decimal).div(sum.times(rate.plus(1)));
  return market.cutAmount(wanted);
}
