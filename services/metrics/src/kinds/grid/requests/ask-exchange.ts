import { ApiError } from '@switchyard/server';
import { type Decimal, decimal } from '../../../decimal';
import { ExchangeFailure } from '../../../exchange/failure';
import { readTicker } from '../../../exchange/read-ticker';
import { refuseField } from '../../../http/invalid-request';
import type { Resources } from '../../../resources';

export async function askExchange<T>(
  field: string,
  input: unknown,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ExchangeFailure)) throw error;
    if (['bad_symbol', 'permission'].includes(error.code)) {
      throw refuseField(field, error.message, input);
    }
    throw new ApiError('unavailable', `the exchange does not respond: ${error.code}`);
  }
}

export async function markOf(
  { config, exchange }: Resources,
  symbol: string,
): Promise<Decimal | null> {
  const signal = AbortSignal.timeout(config.callTimeoutMs);
  const ask = () => exchange.tickers([symbol], signal);
  const ticker = (await askExchange('symbol', symbol, ask)).get(symbol);
  if (!ticker || ticker instanceof ExchangeFailure) return null;
  try {
    return decimal(readTicker(ticker, exchange.time()).mid);
  } catch {
    return null;
  }
}
