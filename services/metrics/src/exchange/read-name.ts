/** Longer names would not fit into an index of PostgreSQL together. */
const LONGEST = 200;

/** A name or an id that text columns and their indexes can store, else null: PostgreSQL stores no NUL and no half of a surrogate pair. */
export function readName(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  const isStorable = text !== '' && text.length <= LONGEST && storableText(text) === text;
  return isStorable ? text : null;
}

/** The text with a replacement character for each part that PostgreSQL does not store. */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD');
