import { filetypemime } from 'magic-bytes.js';
import { hasSvgRoot } from './svg-root';
import { xmlText } from './xml-text';

export const HEAD_BYTES = 65_536;

const TEXT = 'text/plain; charset=utf-8';
const BINARY = 'application/octet-stream';
const SVG = 'image/svg+xml';

/** Types that a signature cannot prove, because their signatures are ordinary text. */
const MARKUP = /^text\/|[/+]xml$|html|svg|javascript|json/;

const TEXTUAL = new Set(['image/gif', 'application/pdf', 'application/rtf']);

/**
 * Detects the type only from the bytes. HTML and scripts count as plain text. An SVG need not be
 * UTF-8.
 */
export function contentTypeOf(head: Buffer, isText: boolean): string {
  const known = filetypemime(head).find((mime) => !MARKUP.test(mime));
  if (!isText) return known ?? (hasSvgRoot(xmlText(head) ?? '') ? SVG : BINARY);
  if (hasSvgRoot(head.toString('utf8'))) return SVG;
  return known !== undefined && TEXTUAL.has(known) ? known : TEXT;
}
