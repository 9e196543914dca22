import { z } from 'zod';
import { malformed } from '../../../failure';
import type { AnswerReader } from '../../requests/own-fetch';
import { BINANCE } from './binance';
import { BYBIT } from './bybit';
import { COINBASE } from './coinbase';
import { KRAKEN } from './kraken';
import { OKX } from './okx';
import type { Cost } from './shapes';
import { type Answer, anything, name, object, type Shape, text } from './shapes';

const ANSWERS: Record<string, Answer[]> = {
  binance: BINANCE,
  bybit: BYBIT,
  coinbase: COINBASE,
  kraken: KRAKEN,
  okx: OKX,
};

const OTHERS = [
  /^GET /,
  /^POST \/v2\/auth\/r\//,
  /^POST \/v1\/(balances|orders|mytrades|order\/status|transfers)$/,
  /^POST \/(exchange\/)?v1\/private\/(get-|user-balance$)/,
  /^POST \/api\/v2\/(account_balances|open_orders|user_transactions|order_status)\b/,
].map((path) => [path, anything] as const);

/**
 * Error responses that an exchange sends with HTTP 200. The library converts them to typed errors.
 */
const REFUSALS: Record<string, Shape> = {
  binance: object({ code: z.number().negative(), msg: text }),
  bybit: object({ retCode: z.number().positive(), retMsg: text }),
  coinbase: z.union([object({ error: name }), object({ errors: z.array(anything).min(1) })]),
  kraken: object({ error: z.array(name).min(1) }),
  okx: object({ code: z.string().regex(/^(1|[1-9]\d{4})$/), msg: text }),
};

export function readerOf(exchange: string, method: string, path: string): AnswerReader | null {
  const known: readonly (readonly [RegExp, Shape, ...unknown[]])[] = ANSWERS[exchange] ?? OTHERS;
  const shape = known.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
  if (!shape) return null;
  return (answered, target) => readAnswer({ exchange, shape, target }, answered);
}

export function costOf(exchange: string, method: string, path: string) {
  const rank = ANSWERS[exchange]?.findIndex(([pattern]) => pattern.test(`${method} ${path}`)) ?? -1;
  const cost = ANSWERS[exchange]?.[rank]?.[2];
  return cost ? { rank, cost } : null;
}

export const costsOf = (exchange: string): Cost[] | null =>
  ANSWERS[exchange]?.map(([, , cost]) => cost) ?? null;

/**
 * Returns the response text without invalid rows.
 * @throws ExchangeFailure `malformed`, naming the first invalid field
 */
function readAnswer(
  { exchange, shape, target }: { exchange: string; shape: Shape; target: string },
  answered: string,
): string {
  const body = parseObject(answered, target);
  if (shape === anything || REFUSALS[exchange]?.safeParse(body).success) return answered;
  const read = shape.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') || 'the answer';
    throw malformed(target, `${field}: ${issue?.message ?? 'has an unexpected value'}`);
  }
  // Returns the original text if no row was dropped, because JSON.parse loses digits of long
  // numbers.
  const kept = JSON.stringify(read.data);
  return kept.length === JSON.stringify(body).length ? answered : kept;
}

/**
 * Rejects an empty object: broken proxies send it, and the library would read it as an empty
 * account.
 */
function parseObject(answered: string, target: string): object {
  let body: unknown;
  try {
    body = JSON.parse(answered);
  } catch {
    throw malformed(target, 'the answer is not complete JSON');
  }
  if (typeof body !== 'object' || body === null) {
    throw malformed(target, 'the answer is not a JSON object or list');
  }
  if (!Array.isArray(body) && Object.keys(body).length === 0) {
    throw malformed(target, 'the answer is an empty object');
  }
  return body;
}
