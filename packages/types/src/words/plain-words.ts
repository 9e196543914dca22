import type { z } from 'zod';
import { idWords } from './id-words';

type Issue = z.core.$ZodRawIssue;
type Schema = z.core.$ZodType;

/**
 * Explains a validation issue without the validator's terms. A schema's own messages have priority.
 */
export function plainWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED : `must be ${nounOf(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined ? REQUIRED : oneOf(issue.values);
    case 'too_small':
      return atLeast(issue);
    case 'too_big':
      return atMost(issue);
    case 'invalid_format':
      return issue.format === 'uuid' ? idWords(issue.path, issue.input) : formatWords(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return UNKNOWN_FIELD;
    case 'invalid_union':
      return unionWords(issue);
    default:
      return 'is not valid';
  }
}

export const UNKNOWN_FIELD = 'unknown field';
const REQUIRED = 'is required';

const NOUNS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const nounOf = (type: string) => NOUNS[type] ?? `of the type ${type}`;

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

function oneOf(values: readonly unknown[]): string {
  if (values.length === 1) return `must be ${quoted(values[0])}`;
  return `must be one of ${values.map(String).join(', ')}`;
}

const UNITS: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries' };

function atLeast(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const { origin, minimum, inclusive, exact } = issue;
  const unit = UNITS[origin];
  if (!unit)
    return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
  if (minimum === 1 && !exact) return 'must not be empty';
  return `must have ${exact ? 'exactly' : 'at least'} ${minimum} ${unit}`;
}

function atMost(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const { origin, maximum, inclusive, exact } = issue;
  const unit = UNITS[origin];
  if (!unit)
    return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
  return `must have ${exact ? 'exactly' : 'at most'} ${maximum} ${unit}`;
}

const FORMATS: Record<string, string> = {
  datetime: 'must be a date and time such as 2026-01-31T09:00:00Z',
  date: 'must be a date such as 2026-01-31',
  time: 'must be a time such as 09:00:00',
  email: 'must be an e-mail address',
  url: 'must be a URL',
};

function formatWords({
  format,
  pattern,
}: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>) {
  const known = FORMATS[format];
  if (known) return known;
  return pattern ? `must match ${pattern}` : `must be of the form ${format}`;
}

function unionWords(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { input, inst } = issue;
  const { discriminator, options } = issue as { discriminator?: string; options?: unknown[] };
  if (discriminator !== undefined && options) {
    const isMissing = (input as Record<string, unknown>)[discriminator] === undefined;
    return isMissing ? `${REQUIRED}: one of ${options.join(', ')}` : oneOf(options);
  }
  const forms = inst && [...new Set(formsOf(inst as Schema))];
  return forms?.length ? `must be ${forms.join(', or ')}` : 'is not valid';
}

function formsOf(schema: Schema): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'union':
      return def.options.flatMap((option) => formsOf(option as Schema));
    case 'nullable':
      return [...formsOf(def.innerType as Schema), 'null'];
    case 'optional':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return formsOf(def.innerType as Schema);
    case 'pipe':
      return formsOf(def.in as Schema);
    case 'lazy':
      return formsOf(def.getter() as Schema);
    case 'literal':
      return def.values.map(quoted);
    case 'enum':
      return [`one of ${Object.values(def.entries).join(', ')}`];
    case 'object':
      return [`{ ${Object.entries(def.shape).map(fieldForm).join(', ')} }`];
    default:
      return [nounOf(def.type)];
  }
}

function fieldForm([name, schema]: [string, Schema]): string {
  if (schema._zod.optin !== undefined) return `${name}?`;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'literal' ? `${name}: ${formsOf(schema).join(' | ')}` : name;
}
