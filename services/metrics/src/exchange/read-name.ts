/** Longer names would exceed the size of a row in a PostgreSQL index. */
const LONGEST = 200;

/**
 * Returns null unless text columns and indexes can store the name: PostgreSQL stores neither NUL
 * nor unpaired surrogates.
 */
export function readName(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  const isStorable = text !== '' && text.length <= LONGEST && storableText(text) === text;
  return isStorable ? text : null;
}

export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD');
