export const BARRIER = '\uFFFC';

/**
 * Returns the form in which names and text are compared: NFC, case-folded, with white space as
 * single blanks. Takes linear time.
 */
export function foldText(text: string): string {
  const composed = text.replace(MARK_BOMB, BARRIER).normalize('NFC');
  return foldCase(composed).normalize('NFC').replace(/\s+/g, ' ');
}

/** NFC takes quadratic time for long runs of combining marks; no name has this many in a row. */
const MARK_BOMB = /\p{M}{31,}/gu;

function foldCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  // Folds each code point separately: otherwise a sigma at the end of a word would differ from
  // other sigmas. ß equals SS.
  let folded = '';
  for (const point of text) folded += point.toUpperCase().toLowerCase();
  return folded;
}
