import { type Decimal, decimal } from '../decimal';
import type { ExchangeTrade } from '../exchange/port';

export interface AccountFill extends ExchangeTrade {
  symbol: string;
}

export interface Effect {
  traded: Decimal;
  fees: Decimal;
  tolerance: Decimal;
}

const LEAST_TOLERANCE = decimal('1e-8');
const TOLERANCE_OF_TURNOVER = '1e-6';

export const NO_EFFECT: Effect = {
  traded: decimal(0),
  fees: decimal(0),
  tolerance: LEAST_TOLERANCE,
};

export function effectsOf(
  fills: readonly AccountFill[],
  counts: (asset: string, time: number) => boolean,
): Map<string, Effect> {
  const effects = new Map<string, Effect>();
  const add = (asset: string, time: number, traded: Decimal, fee: Decimal) => {
    if (!counts(asset, time)) return;
    const known = effects.get(asset) ?? NO_EFFECT;
    const turnover = traded.abs().plus(fee.abs());
    effects.set(asset, {
      traded: known.traded.plus(traded),
      fees: known.fees.plus(fee),
      tolerance: known.tolerance.plus(turnover.times(TOLERANCE_OF_TURNOVER)),
    });
  };
  for (const { symbol, side, price, amount, fee, feeAsset, time } of fills) {
    const [base = '', quote = ''] = symbol.split('/');
    const bought = decimal(amount).times(side === 'buy' ? 1 : -1);
    add(base, time, bought, decimal(0));
    add(quote, time, bought.times(price).negated(), decimal(0));
    if (feeAsset !== null) add(feeAsset, time, decimal(0), decimal(fee));
  }
  return effects;
}
