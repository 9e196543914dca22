import { z } from 'zod';
import { type Decimal, decimal, readDecimal, SCALE } from '../decimal';

function entry(type: string, msg: string, ctx?: Record<string, unknown>) {
  return { code: 'custom' as const, params: { type, msg, ...(ctx && { ctx }) } };
}

export function storableText(max: number) {
  return z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'must not contain NUL characters or unpaired surrogates',
    });
}

export const gridId = storableText(128).toLowerCase();

export function queryInteger(min: number, max: number) {
  const read = z.string().transform((value, context) => {
    if (!/^[+-]?\d{1,15}$/.test(value.trim())) {
      const msg = 'Input should be a valid integer, unable to parse string as an integer';
      context.addIssue(entry('int_parsing', msg));
      return z.NEVER;
    }
    const number = Number(value);
    if (number < min) {
      const msg = `Input should be greater than or equal to ${min}`;
      context.addIssue(entry('greater_than_equal', msg, { ge: min }));
    }
    if (number > max) {
      const msg = `Input should be less than or equal to ${max}`;
      context.addIssue(entry('less_than_equal', msg, { le: max }));
    }
    return number;
  });
  return read.meta({ type: 'integer', minimum: min, maximum: max });
}

export const queryBoolean = z
  .string()
  .transform((value, context) => {
    if (/^(true|1|yes|on)$/i.test(value)) return true;
    if (/^(false|0|no|off)$/i.test(value)) return false;
    const msg = 'Input should be a valid boolean, unable to interpret input';
    context.addIssue(entry('bool_parsing', msg));
    return z.NEVER;
  })
  .meta({ type: 'boolean' });

/** Adds seconds, because Zod requires them before a zone and ISO 8601 does not. */
const withSeconds = (value: unknown) =>
  typeof value === 'string' ? value.replace(/(T\d\d:\d\d)(?=Z|[+-])/i, '$1:00') : value;

/** Accepts an offset, `Z` or no zone; no zone means UTC, not the machine's zone. */
export const moment = z
  .preprocess(withSeconds, z.iso.datetime({ offset: true, local: true }))
  .transform((value) => new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`))
  .meta({ type: 'string', format: 'date-time' });

const LARGEST = decimal('1e15');

type Bound = { gt: number } | { ge: number };

const decimalFrom = (bound: Bound) =>
  z.unknown().transform((value, context): Decimal => {
    if (value === undefined) {
      context.addIssue(entry('missing', 'Field required'));
      return z.NEVER;
    }
    if (typeof value !== 'string' && typeof value !== 'number') {
      const msg = 'Decimal input should be an integer, float, string or Decimal object';
      context.addIssue(entry('decimal_type', msg));
      return z.NEVER;
    }
    const read = readDecimal(value);
    if (!read) context.addIssue(entry('decimal_parsing', 'Input should be a valid decimal'));
    else if ('gt' in bound && read.lte(bound.gt)) {
      const msg = `Input should be greater than ${bound.gt}`;
      context.addIssue(entry('greater_than', msg, bound));
    } else if ('ge' in bound && read.lt(bound.ge)) {
      const msg = `Input should be greater than or equal to ${bound.ge}`;
      context.addIssue(entry('greater_than_equal', msg, bound));
    } else if (read.gt(LARGEST)) {
      const msg = 'Input should be less than or equal to 1000000000000000';
      context.addIssue(entry('less_than_equal', msg, { le: 1e15 }));
    } else if (read.decimalPlaces() > SCALE) {
      const msg = `Decimal input should have no more than ${SCALE} decimal places`;
      context.addIssue(entry('decimal_max_places', msg, { decimal_places: SCALE }));
    } else return read;
    return z.NEVER;
  });

const shown = { type: ['number', 'string'] as never };

export const positiveDecimal = decimalFrom({ gt: 0 }).meta(shown);

export const feeRate = decimalFrom({ ge: -0.01 }).meta(shown);

export const decimalFromZero = decimalFrom({ ge: 0 }).meta(shown);
