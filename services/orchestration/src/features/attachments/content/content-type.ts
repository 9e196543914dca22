import { filetypemime } from 'magic-bytes.js';
import { hasSvgRoot } from './svg-root';
import { xmlText } from './xml-text';

/** How much of a file is looked at: every known signature, and the root of an SVG behind a long prolog. */
export const HEAD_BYTES = 65_536;

const TEXT = 'text/plain; charset=utf-8';
const BINARY = 'application/octet-stream';
const SVG = 'image/svg+xml';

/** Markup is recognised by what is in it, because its signatures are ordinary text. */
const MARKUP = /^text\/|[/+]xml$|html|svg|javascript|json/;

/** What can be text from end to end; other signatures that are letters also begin ordinary sentences. */
const TEXTUAL = new Set(['image/gif', 'application/pdf', 'application/rtf']);

/**
 * What a file is by its own bytes; what the sender calls it is never asked. Text that is
 * no SVG is plain text, also when it is HTML or a script. An SVG may have another encoding than UTF-8.
 */
export function contentTypeOf(head: Buffer, isText: boolean): string {
  const known = filetypemime(head).find((mime) => !MARKUP.test(mime));
  if (!isText) return known ?? (hasSvgRoot(xmlText(head) ?? '') ? SVG : BINARY);
  if (hasSvgRoot(head.toString('utf8'))) return SVG;
  return known !== undefined && TEXTUAL.has(known) ? known : TEXT;
}
