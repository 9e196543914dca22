/** Longer names would exceed the row size of a PostgreSQL index. */
const LONGEST = 200;

/**
 * Returns a name or id that text columns and indexes can store, else null: PostgreSQL stores
 * neither NUL nor lone surrogates.
 */
export function readName(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  const isStorable = text !== '' && text.length <= LONGEST && storableText(text) === text;
  return isStorable ? text : null;
}

export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD');
