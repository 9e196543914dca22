import { z } from 'zod';

/** Reported as an entry of its own type instead of a general value_error. */
function entry(type: string, msg: string, ctx?: Record<string, unknown>) {
  return { code: 'custom' as const, params: { type, msg, ...(ctx && { ctx }) } };
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function storableText(max: number) {
  return z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'must not contain NUL characters or unpaired surrogates',
    });
}

/** An integer in a query. */
export function queryInteger(min: number, max: number) {
  return z.string().transform((value, context) => {
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
}

export const queryBoolean = z.string().transform((value, context) => {
  if (/^(true|1|yes|on)$/i.test(value)) return true;
  if (/^(false|0|no|off)$/i.test(value)) return false;
  const msg = 'Input should be a valid boolean, unable to interpret input';
  context.addIssue(entry('bool_parsing', msg));
  return z.NEVER;
});

/** An offset, `Z` or no zone at all, which is read as UTC and never as the machine's own zone. */
export const moment = z.iso
  .datetime({ offset: true, local: true })
  .transform((value) => new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`));
