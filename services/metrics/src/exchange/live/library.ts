import path from 'node:path';
import type { Exchange as CcxtExchange } from 'ccxt';
import { ExchangeFailure, type ExchangeFailure as Failure, type FailureCode } from '../failure';

type ErrorClass = new (...rest: never[]) => Error;

export interface Library {
  create(options: Record<string, unknown>): CcxtExchange;
  failureOf(error: unknown, target: string): Failure;
}

/** Error classes of the library and their codes; a subclass must come before its base class. */
const CODES: [string, FailureCode][] = [
  ['RequestTimeout', 'timeout'],
  ['RateLimitExceeded', 'rate_limited'],
  ['DDoSProtection', 'rate_limited'],
  ['OnMaintenance', 'maintenance'],
  ['ExchangeNotAvailable', 'unavailable'],
  ['NetworkError', 'network'],
  ['OperationFailed', 'unavailable'],
  ['PermissionDenied', 'permission'],
  ['AccountSuspended', 'permission'],
  ['AuthenticationError', 'auth'],
  ['BadSymbol', 'bad_symbol'],
  ['OrderNotFound', 'not_found'],
  ['NotSupported', 'not_supported'],
  ['BadResponse', 'malformed'],
  ['ExchangeError', 'malformed'],
];

/**
 * Binance's response to a deleted key or a wrong address. After a first successful call, the
 * library reports it as a rate limit.
 */
const KEY_REFUSED = /^binance(us)? \{"code":\s*-2015\b/;

const SHOWN_OF_ANSWER = 100;

const cut = (text: string) =>
  text.length > SHOWN_OF_ANSWER ? `${text.slice(0, SHOWN_OF_ANSWER)}…` : text;

/**
 * Loads only one exchange of the library, because the whole library needs three times the memory.
 * `id` must come from a fixed list, because it becomes part of a path.
 */
export function loadLibrary(id: string, redact: (text: string) => string): Library {
  const root = path.join(require.resolve('ccxt'), '../../js/src');
  const { default: Named } = require(path.join(root, `${id}.js`)) as {
    default: new (options: Record<string, unknown>) => CcxtExchange;
  };
  const errors = require(path.join(root, 'base/errors.js')) as Record<string, ErrorClass>;
  return {
    create: (options) => new Named(options),
    failureOf: (error, target) => {
      if (error instanceof ExchangeFailure) return error;
      const text = error instanceof Error ? error.message : String(error);
      if (KEY_REFUSED.test(text)) return new ExchangeFailure('auth', target, redact(text));
      for (const [name, code] of CODES) {
        const known = errors[name];
        if (!known || !(error instanceof known)) continue;
        const said = redact(text);
        return new ExchangeFailure(code, target, code === 'malformed' ? cut(said) : said);
      }
      if (error instanceof TypeError || error instanceof SyntaxError) {
        return new ExchangeFailure('malformed', target, 'the answer has an unexpected form');
      }
      return new ExchangeFailure('internal', target, redact(text));
    },
  };
}
