import { storableText } from './read-name';

export type FailureCode =
  | 'timeout'
  | 'network'
  | 'unavailable'
  | 'maintenance'
  | 'rate_limited'
  | 'banned'
  | 'auth'
  | 'permission'
  | 'bad_symbol'
  | 'malformed'
  | 'unpriced'
  | 'unexplained'
  | 'suspect'
  | 'not_found'
  | 'not_supported'
  | 'circuit_open'
  | 'deadline'
  | 'internal';

const RETRYABLE: readonly FailureCode[] = [
  'timeout',
  'network',
  'unavailable',
  'maintenance',
  'rate_limited',
  'banned',
  'circuit_open',
  'deadline',
  'suspect',
];

export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure';
  readonly target: string;
  attempts = 1;

  constructor(
    readonly code: FailureCode,
    target: string,
    message: string,
    readonly silentUntil: number | null = null,
  ) {
    super(storableText(message));
    this.target = storableText(target);
  }

  get retryable(): boolean {
    return RETRYABLE.includes(this.code);
  }
}

export function presentFailure(failure: ExchangeFailure) {
  const { code, target, message, retryable, attempts } = failure;
  return { code, target, message, retryable, attempts };
}

export type PresentedFailure = ReturnType<typeof presentFailure>;

export function malformed(target: string, reason: string): ExchangeFailure {
  return new ExchangeFailure('malformed', target, reason);
}

export function asFailure(error: unknown, target: string): ExchangeFailure {
  if (error instanceof ExchangeFailure) return error;
  return new ExchangeFailure('internal', target, 'an internal error; see the log for details');
}
