import type { ErrorCode } from '@switchyard/types';
import type { z } from 'zod';

/** A refusal that is meant for the caller; anything else that is thrown is a defect of ours. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export interface FieldProblem {
  path: (string | number)[];
  message: string;
  code: string;
}

export function invalid(problems: FieldProblem[]): ApiError {
  const first = problems[0];
  const where = first && first.path.length > 0 ? `${first.path.join('.')}: ` : '';
  return new ApiError(
    'validation_error',
    `${where}${first?.message ?? 'invalid request'}`,
    problems,
  );
}

/** One wrong field. */
export function invalidField(path: string | (string | number)[], message: string): ApiError {
  return invalid([{ path: Array.isArray(path) ? path : [path], message, code: 'custom' }]);
}

/** A body can be wrong in as many places as it has bytes; the answer stays small. */
const MAX_PROBLEMS = 50;
const MAX_KEY = 100;

const shownPart = (part: PropertyKey) =>
  typeof part === 'number' ? part : String(part).slice(0, MAX_KEY);

/** zod names an unknown key only in a list; here each becomes a problem of its own at its own path. */
function invalidFrom(error: z.ZodError): ApiError {
  const problems = error.issues.slice(0, MAX_PROBLEMS).flatMap((issue): FieldProblem[] => {
    const { code } = issue;
    const path = issue.path.map(shownPart);
    if (code !== 'unrecognized_keys') return [{ path, message: issue.message, code }];
    return issue.keys
      .slice(0, MAX_PROBLEMS)
      .map((key) => ({ path: [...path, shownPart(key)], message: 'unknown field', code }));
  });
  return invalid(problems.slice(0, MAX_PROBLEMS));
}

/** @throws ApiError naming the fields of `value` that do not fit */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidFrom(parsed.error);
}

export const unauthenticated = (message: string, code: ErrorCode = 'unauthenticated') =>
  new ApiError(code, message, undefined, { 'WWW-Authenticate': 'Bearer' });
export const forbidden = (code: ErrorCode, message: string, details?: unknown) =>
  new ApiError(code, message, details);
export const notFound = (what: string) => new ApiError('not_found', `${what} not found`);
export const conflict = (code: ErrorCode, message: string, details?: unknown) =>
  new ApiError(code, message, details);
export const unprocessable = (code: ErrorCode, message: string, details?: unknown) =>
  new ApiError(code, message, details);
export const unavailable = (message: string) =>
  new ApiError('unavailable', message, undefined, { 'Retry-After': '1' });
