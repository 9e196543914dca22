/** Stands for what a mention can neither contain nor reach across: code, a link, an image, HTML. */
export const BARRIER = '\uFFFC';

/**
 * The form in which names and what was written are compared: composed (NFC), without case, white space
 * as single blanks. Linear in the length.
 */
export function foldText(text: string): string {
  const composed = text.replace(MARK_BOMB, BARRIER).normalize('NFC');
  return foldCase(composed).normalize('NFC').replace(/\s+/g, ' ');
}

/** Composing takes quadratic time on long runs of combining marks; no name has this many in a row. */
const MARK_BOMB = /\p{M}{31,}/gu;

function foldCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  // One code point at a time: then no sigma is a final one, and ß equals SS.
  let folded = '';
  for (const point of text) folded += point.toUpperCase().toLowerCase();
  return folded;
}
