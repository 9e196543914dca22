import { ExchangeFailure } from '../exchange/failure';
import type { Resources } from '../resources';

/** Why a part that asks for the account is skipped, or null when it is not. */
export function needsAccount({ exchange }: Resources): ExchangeFailure | null {
  if (exchange.hasAccount) return null;
  return new ExchangeFailure('auth', exchange.name, 'no API key is configured');
}
