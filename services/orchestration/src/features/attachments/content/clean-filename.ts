const MAX_NAME = 255;

/**
 * The last segment of whatever path the sender named, without what would break a header, deceive a
 * reader or mean a folder.
 */
export function cleanFilename(name: string): string {
  const segment = name.split(/[\\/]/).at(-1) ?? '';
  const clean = segment
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\uFFFD]/gu, '')
    .trim();
  if (/^\.*$/.test(clean)) return 'file';
  // A cut may leave half of a surrogate pair, which PostgreSQL does not store.
  return clean.slice(0, MAX_NAME).replace(/[\uD800-\uDBFF]$/, '');
}
