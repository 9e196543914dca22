import { z } from 'zod';

/** PostgreSQL cannot store NUL or an unpaired surrogate. */
export function isStorableText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

const STORABLE = 'must not contain NUL characters or unpaired surrogates';

/** Excludes invisible characters such as a zero-width space or a Hangul filler. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u;

export function text(max: number) {
  return z
    .string()
    .max(max)
    .refine(isStorableText, { error: STORABLE, abort: true })
    .refine((value) => VISIBLE.test(value), 'must not be empty');
}

export function optionalText(max: number) {
  return z.string().max(max).refine(isStorableText, STORABLE);
}

export const title = text(500);

/** Allows joiners, selectors and tags, which emoji, flags and Persian words need. */
const NOT_IN_NAMES =
  /[\p{Cc}\p{Zl}\p{Zp}\u2800]|(?![\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/u;

export const name = z
  .string()
  .max(200, { abort: true })
  .refine(isStorableText, { error: STORABLE, abort: true })
  .trim()
  .normalize('NFC')
  .refine((value) => VISIBLE.test(value), { error: 'must not be empty', abort: true })
  .refine(
    (value) => !NOT_IN_NAMES.test(value),
    'must not contain line breaks, tabs or invisible characters',
  );
export const longText = optionalText(200_000);
export const EXCERPT_CHARACTERS = 200;
export const excerpt = z
  .string()
  .nullable()
  .describe(`The first ${EXCERPT_CHARACTERS} characters of the description`);
/** In lower case, because PostgreSQL ignores the case of ids but our comparisons do not. */
export const id = z.uuid().toLowerCase();
export const timestamp = z.iso.datetime({ offset: true });
/** PostgreSQL has no year 0. */
export const day = z.iso
  .date()
  .refine((value) => !value.startsWith('0000'), 'must not be in the year 0');
export const queryTime = z.iso
  .datetime({ offset: true, abort: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return year >= 1970 && year <= 9999;
  }, 'must be a time in the years 1970 to 9999');
export const searchText = text(200);
export const cents = z.int().min(0).max(1_000_000_000_000);
export const budgetCents = cents.describe('Cents per UTC month; 0: no limit');
export const confirmUnlimited = z
  .boolean()
  .describe('Required to set a spent budget to 0 (no limit); otherwise ignored');
export const tokenCount = z.int().min(0).max(1_000_000_000_000);

const MAX_DEPTH = 20;

function isStorableJson(root: unknown): boolean {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) return false;
    if (typeof value === 'string' && !isStorableText(value)) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (!isStorableText(key) || key === '__proto__') return false;
      waiting.push({ value: child, depth: depth + 1 });
    }
  }
  return true;
}

/** The depth is checked without recursion, because the sender chooses it. */
export const jsonObject = z
  .custom<Record<string, unknown>>(
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && isStorableJson(value),
    `must be a JSON object of storable text, at most ${MAX_DEPTH} levels deep`,
  )
  .meta({ type: 'object', additionalProperties: true });

export const jsonObjectUpTo = (characters: number) =>
  jsonObject.refine(
    (value) => JSON.stringify(value).length <= characters,
    `must be at most ${characters} characters of JSON`,
  );

export function commaList<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .string()
    .max(500)
    .transform((list) => list.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(values)).min(1));
}

export function pageQuery(defaultLimit = 100, maxLimit = 500) {
  return {
    limit: z
      .string()
      .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${maxLimit}`)
      .transform(Number)
      .pipe(z.int().min(1).max(maxLimit))
      .default(defaultLimit),
    cursor: z.string().max(500).optional(),
  };
}
