import { z } from 'zod';
import { type Decimal, decimal, readDecimal, SCALE } from '../decimal';

const entry = (type: string, msg: string, ctx?: Record<string, unknown>) => ({
  code: 'custom' as const,
  params: { type, msg, ...(ctx && { ctx }) },
});

export function storableText(max: number) {
  return z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'must not contain NUL characters or unpaired surrogates',
    });
}

export const gridId = storableText(128).toLowerCase();

const NOT_AN_INTEGER = 'Input should be a valid integer, unable to parse string as an integer';

export const queryInteger = (minimum: number, maximum: number) =>
  z
    .string()
    .refine((value) => /^[+-]?\d{1,15}$/.test(value.trim()), entry('int_parsing', NOT_AN_INTEGER))
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .meta({ type: 'integer', minimum, maximum });

const YES = /^(true|1|yes|on)$/i;
const NO = /^(false|0|no|off)$/i;
const NOT_A_BOOLEAN = 'Input should be a valid boolean, unable to interpret input';

export const queryBoolean = z
  .string()
  .refine((value) => YES.test(value) || NO.test(value), entry('bool_parsing', NOT_A_BOOLEAN))
  .transform((value) => YES.test(value))
  .meta({ type: 'boolean' });

/** Adds seconds to a time with a zone, because Zod requires them there and ISO 8601 does not. */
const withSeconds = (value: unknown) =>
  typeof value === 'string' ? value.replace(/(T\d\d:\d\d)(?=Z|[+-])/i, '$1:00') : value;

/** Accepts an offset, `Z` or no zone; no zone means UTC, not the machine's zone. */
export const moment = z
  .preprocess(withSeconds, z.iso.datetime({ offset: true, local: true }))
  .transform((value) => new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`))
  .meta({ type: 'string', format: 'date-time' });

const LARGEST = decimal('1e15');

type Bound = { gt: number } | { ge: number };

function faultOf(value: unknown, bound: Bound) {
  if (value === undefined) return entry('missing', 'Field required');
  if (typeof value !== 'string' && typeof value !== 'number') {
    return entry('decimal_type', 'Input should be an integer, float or string');
  }
  const read = readDecimal(value);
  if (!read) return entry('decimal_parsing', 'Input should be a valid decimal');
  if ('gt' in bound && read.lte(bound.gt)) {
    return entry('greater_than', `Input should be greater than ${bound.gt}`, bound);
  }
  if ('ge' in bound && read.lt(bound.ge)) {
    const msg = `Input should be greater than or equal to ${bound.ge}`;
    return entry('greater_than_equal', msg, bound);
  }
  if (read.gt(LARGEST)) {
    const msg = `Input should be less than or equal to ${LARGEST.toFixed()}`;
    return entry('less_than_equal', msg, { le: LARGEST.toNumber() });
  }
  if (read.decimalPlaces() <= SCALE) return null;
  const msg = `Decimal input should have no more than ${SCALE} decimal places`;
  return entry('decimal_max_places', msg, { decimal_places: SCALE });
}

const decimalFrom = (bound: Bound) =>
  z.unknown().transform((value, context): Decimal => {
    const fault = faultOf(value, bound);
    if (fault === null) return readDecimal(value) as Decimal;
    context.addIssue(fault);
    return z.NEVER;
  });

const shown = { type: ['number', 'string'] as never };

export const positiveDecimal = decimalFrom({ gt: 0 }).meta(shown);

export const feeRate = decimalFrom({ ge: -0.01 }).meta(shown);

export const decimalFromZero = decimalFrom({ ge: 0 }).meta(shown);
