import { ExchangeFailure } from '../exchange/failure';
import type { Resources } from '../resources';

export function needsPerpetuals({ config, exchange }: Resources): ExchangeFailure | null {
  if (config.perpetuals.length === 0 || exchange.perpetuals) return null;
  const reason = 'it has no perpetuals that are read: leave METRICS_PERPETUALS empty';
  return new ExchangeFailure('not_supported', exchange.name, reason);
}
