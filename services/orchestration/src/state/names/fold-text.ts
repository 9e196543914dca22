/** Stands for parts that a mention can neither contain nor span: code, a link, an image, HTML. */
export const BARRIER = '\uFFFC';

/**
 * Returns the form in which names and written text are compared: NFC, without case, white space as
 * single blanks. Linear in the length.
 */
export function foldText(text: string): string {
  const composed = text.replace(MARK_BOMB, BARRIER).normalize('NFC');
  return foldCase(composed).normalize('NFC').replace(/\s+/g, ' ');
}

/**
 * Composing takes quadratic time on long runs of combining marks; no name has this many in a row.
 */
const MARK_BOMB = /\p{M}{31,}/gu;

function foldCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  // By code point, so that no sigma is a final one, and ß equals SS.
  let folded = '';
  for (const point of text) folded += point.toUpperCase().toLowerCase();
  return folded;
}
