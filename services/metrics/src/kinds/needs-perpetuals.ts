import { ExchangeFailure } from '../exchange/failure';
import type { Resources } from '../resources';

/** Why a part that asks for perpetuals is skipped, or null when it is not: none are wanted, or they can be asked for. */
export function needsPerpetuals({ config, exchange }: Resources): ExchangeFailure | null {
  if (config.perpetuals.length === 0 || exchange.perpetuals) return null;
  const reason = 'it has no perpetuals that are read: leave METRICS_PERPETUALS empty';
  return new ExchangeFailure('not_supported', exchange.name, reason);
}
