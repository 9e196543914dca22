import { decimal } from '../decimal';
import type { Market } from './port';

export function steppedMarket(
  named: Pick<Market, 'symbol' | 'base' | 'quote' | 'minAmount' | 'minCost'>,
  { tick, step }: { tick: string; step: string },
): Market {
  return {
    ...named,
    tickAt: () => tick,
    roundPrice: (price) => price.div(tick).round().times(tick),
    cutAmount: (amount) => amount.div(step).floor().times(decimal(step)),
  };
}
