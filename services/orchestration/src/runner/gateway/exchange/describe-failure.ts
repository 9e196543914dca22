import { AddressRefusedError } from '../../../adapters/network/guarded-connector';
import { Refusal } from './refusal';

const LATE = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']);

/** What an agent is answered when its request could not be passed on to `place`. */
export function describeFailure(error: unknown, place: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AddressRefusedError) return new Refusal(403, error.message);
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' ? code : 'unknown';
  if (LATE.has(reason)) return new Refusal(504, `${place} did not answer in time`);
  if (reason === 'ENOTFOUND') return new Refusal(502, `there is no host for ${place}`);
  if (reason === 'UND_ERR_INVALID_ARG') return new Refusal(400, 'the request cannot be passed on');
  return new Refusal(502, `${place} could not be reached (${reason})`);
}
