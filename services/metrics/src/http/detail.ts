import type { z } from 'zod';
import type { DetailEntry } from './invalid-request';

const ECHO_LIMIT = 1024;

type Described = Pick<DetailEntry, 'type' | 'msg' | 'ctx'>;
type Issue = z.core.$ZodIssue;

/** Truncates the input, so that a response cannot be as large as its request. */
export function echo(input: unknown): unknown {
  if (input === undefined) return null;
  const text = JSON.stringify(input) ?? 'null';
  return text.length <= ECHO_LIMIT ? input : `${text.slice(0, ECHO_LIMIT)}…`;
}

function at(root: unknown, path: PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

const TYPES: Record<string, Described> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
};
const OBJECT: Described = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};

const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;

function quotedList(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

function describeSize(issue: Issue): Described | null {
  if (issue.code === 'too_big') {
    const limit = Number(issue.maximum);
    if (issue.origin === 'string') {
      const msg = `String should have at most ${characters(limit)}`;
      return { type: 'string_too_long', msg, ctx: { max_length: limit } };
    }
    if (issue.origin === 'array') {
      const msg = `List should have at most ${limit} items after validation`;
      return { type: 'too_long', msg, ctx: { field_type: 'List', max_length: limit } };
    }
    const msg = `Input should be less than or equal to ${limit}`;
    return { type: 'less_than_equal', msg, ctx: { le: limit } };
  }
  if (issue.code !== 'too_small') return null;
  const limit = Number(issue.minimum);
  if (issue.origin === 'string') {
    const msg = `String should have at least ${characters(limit)}`;
    return { type: 'string_too_short', msg, ctx: { min_length: limit } };
  }
  if (issue.origin === 'array') {
    const msg = `List should have at least ${limit} item after validation`;
    return { type: 'too_short', msg, ctx: { field_type: 'List', min_length: limit } };
  }
  const msg = `Input should be greater than or equal to ${limit}`;
  return { type: 'greater_than_equal', msg, ctx: { ge: limit } };
}

const NOT_A_TIME = 'input is not an ISO 8601 date and time';

function describe(issue: Issue, input: unknown): Described {
  if (issue.code === 'custom' && issue.params?.type) return issue.params as unknown as Described;
  if (issue.code === 'invalid_type') {
    if (input === undefined) return { type: 'missing', msg: 'Field required' };
    return TYPES[issue.expected] ?? OBJECT;
  }
  if (issue.code === 'invalid_format') {
    if (issue.format === 'datetime') {
      const msg = `Input should be a valid datetime, ${NOT_A_TIME}`;
      return { type: 'datetime_from_date_parsing', msg, ctx: { error: NOT_A_TIME } };
    }
    const pattern = String(issue.pattern).replace(/^\/|\/[a-z]*$/g, '');
    const msg = `String should match pattern '${pattern}'`;
    return { type: 'string_pattern_mismatch', msg, ctx: { pattern } };
  }
  if (issue.code === 'invalid_value') {
    const expected = quotedList(issue.values);
    return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } };
  }
  const size = describeSize(issue);
  if (size) return size;
  const reason = issue.message;
  return { type: 'value_error', msg: `Value error, ${reason}`, ctx: { error: reason } };
}

export function detailOf(error: z.ZodError, root: unknown, where: 'body' | 'query'): DetailEntry[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => surplus([where, key], at(root, [key])));
    }
    const input = at(root, issue.path);
    const { type, msg, ctx } = describe(issue, input);
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    const missing = type === 'missing' && path.length > 0;
    const shown = echo(missing ? at(root, issue.path.slice(0, -1)) : input);
    return [{ type, loc: [where, ...path], msg, input: shown, ...(ctx && { ctx }) }];
  });
}

const surplus = (loc: string[], input: unknown): DetailEntry => ({
  type: 'extra_forbidden',
  loc,
  msg: 'Extra inputs are not permitted',
  input: echo(input),
});
