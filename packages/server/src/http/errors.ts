import type { ErrorCode } from '@switchyard/types';
import type { z } from 'zod';
import { check, type FieldProblem, knownNames } from './problems';

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

type Place = 'body' | 'query';

export function invalid(problems: FieldProblem[], place?: Place): ApiError {
  const message = problems[0] ? sentence(problems[0], place) : 'invalid request';
  return new ApiError('validation_error', message, problems);
}

function sentence({ path, message, code }: FieldProblem, place: Place | undefined) {
  const ofSchema = code !== 'custom' && /^(?:is|must) /.test(message);
  if (path.length === 0) return ofSchema && place ? `the ${place} ${message}` : message;
  const isMissing = ofSchema && message.startsWith('is required');
  return `${path.join('.')}${isMissing ? '' : ':'} ${message}`;
}

export function invalidQuery(problems: FieldProblem[], known: string[]): ApiError {
  const rest =
    known.length > 0 ? `known: ${known.join(', ')}` : 'this route accepts no query parameters';
  const isUnknown = ({ code, path }: FieldProblem) =>
    code === 'unrecognized_keys' && path.length === 1;
  const [first] = problems;
  const shown = problems.map((problem) =>
    isUnknown(problem) ? { ...problem, message: `unknown query parameter; ${rest}` } : problem,
  );
  if (!first || !isUnknown(first)) return invalid(shown, 'query');
  const message = `unknown query parameter ${first.path[0]}; ${rest}`;
  return new ApiError('validation_error', message, shown);
}

export function invalidField(path: string | (string | number)[], message: string): ApiError {
  return invalid([{ path: Array.isArray(path) ? path : [path], message, code: 'custom' }]);
}

export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place?: Place,
): z.output<Schema> {
  const checked = check(schema, value);
  if ('data' in checked) return checked.data;
  throw invalid(withNearest(checked.problems, knownNames(schema)), place);
}

function withNearest(problems: FieldProblem[], known: string[]): FieldProblem[] {
  return problems.map((problem) => {
    const { code, path, message } = problem;
    if (code !== 'unrecognized_keys' || path.length !== 1) return problem;
    const nearest = nearestNames(String(path[0]), known);
    if (nearest.length === 0) return problem;
    return { ...problem, message: `${message}; did you mean ${nearest.join(' or ')}?` };
  });
}

export const unauthenticated = (message: string, code: ErrorCode = 'unauthenticated') =>
  new ApiError(code, message, undefined, { 'WWW-Authenticate': 'Bearer' });
export const forbidden = (code: ErrorCode, message: string, details?: unknown) =>
  new ApiError(code, message, details);
export const notFound = (what: string, why?: string) =>
  new ApiError('not_found', `${what} not found${why === undefined ? '' : `: ${why}`}`);
export const conflict = (code: ErrorCode, message: string, details?: unknown) =>
  new ApiError(code, message, details);
export const unprocessable = (code: ErrorCode, message: string, details?: unknown) =>
  new ApiError(code, message, details);
export const unavailable = (message: string) =>
  new ApiError('unavailable', message, undefined, { 'Retry-After': '1' });

export function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = plain(name);
  const same = known.filter((other) => plain(other) === wanted);
  if (same.length > 0) return same;
  if (wanted.length < SHORTEST) return [];
  return known.filter((other) => {
    const [shorter, longer] = [wanted, plain(other)].sort((a, b) => a.length - b.length);
    if (!shorter || !longer || shorter.length < SHORTEST) return false;
    return longer.startsWith(shorter) || longer.endsWith(shorter);
  });
}

const SHORTEST = 4;

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
