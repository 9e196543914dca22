import { ExchangeFailure } from '../exchange/failure';
import type { Resources } from '../resources';

export function needsAccount({ exchange }: Resources): ExchangeFailure | null {
  if (exchange.hasAccount) return null;
  return new ExchangeFailure('auth', exchange.name, 'no API key is configured');
}
