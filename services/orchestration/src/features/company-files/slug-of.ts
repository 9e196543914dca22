export const SLUG = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;

const MAX_CHARACTERS = 50;

/**
 * Returns the file name of an object, without `.md`, and adds it to `taken`. Equal names get the
 * suffixes -2, -3 and so on, in the order of creation.
 */
export function slugOf(name: string, taken: Map<string, number>): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const base = [...words].slice(0, MAX_CHARACTERS).join('').replace(/^-|-$/g, '') || 'unnamed';
  let slug = base;
  let next = taken.get(base) ?? 1;
  for (; taken.has(slug); next++) slug = `${base}-${next + 1}`;
  taken.set(base, next).set(slug, taken.get(slug) ?? 1);
  return slug;
}

/**
 * Sorts file names so that an import creates objects with equal names in the order of their
 * suffixes; they then get the same file names again.
 */
export const bySlug = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
