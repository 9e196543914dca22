import { ExchangeFailure } from '../exchange/failure';
import type { Resources } from '../resources';

export function needsAccount({ exchange }: Resources): ExchangeFailure | null {
  if (exchange.hasAccount) return null;
  return new ExchangeFailure('auth', exchange.name, 'no API key is configured');
}

export function needsPerpetuals({ config, exchange }: Resources): ExchangeFailure | null {
  if (config.perpetuals.length === 0 || exchange.perpetuals) return null;
  const reason = 'perpetuals of this exchange are not supported: remove them from METRICS_SYMBOLS';
  return new ExchangeFailure('not_supported', exchange.name, reason);
}
