import { ApiError } from '@switchyard/server';
import { ExchangeFailure } from '../exchange/failure';
import { valueError } from '../http/invalid-request';

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
      throw valueError(['body', field], error.message, input);
    }
    throw new ApiError('unavailable', `the exchange does not respond: ${error.code}`);
  }
}
