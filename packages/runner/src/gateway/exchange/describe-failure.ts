import type { ErrorCode } from '@switchyard/types';
import { AddressRefusedError } from '../../network/guarded-connector';
import { Refusal } from './refusal';

const LATE = new Set(['ETIMEDOUT', 'ETIMEOUT']);
const UNWRITABLE = new Set([
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_UNESCAPED_CHARACTERS',
]);

export function describeFailure(error: unknown, name: string, called?: ErrorCode): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AddressRefusedError) return new Refusal(403, error.message);
  const refuse = (status: number, text: string) => new Refusal(status, text, called ?? null);
  const reason = reasonOf(error);
  if (LATE.has(reason)) return refuse(504, `${name} did not respond in time`);
  if (reason === 'ENOTFOUND') return refuse(502, `the host of ${name} does not exist`);
  if (UNWRITABLE.has(reason))
    return refuse(400, 'the request contains characters that cannot be forwarded');
  return refuse(502, `${name} could not be reached (${reason})`);
}

export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return String(error.status);
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'unknown';
}
