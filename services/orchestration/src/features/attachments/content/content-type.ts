import { TextDecoder } from 'node:util';
import { filetypemime } from 'magic-bytes.js';
import { hasSvgRoot } from './svg-root';

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

const DECLARATION = /^<\?xml[^>]{0,100}\sencoding\s*=\s*["']([A-Za-z][\w.:-]{0,40})["']/;

/**
 * Decodes XML that is not UTF-8 by its byte order mark or its declared encoding (XML 1.0, appendix
 * F). @returns null without either, or for an unknown encoding
 */
function xmlText(head: Buffer): string | null {
  const mark = markOf(head);
  const [, declared] = DECLARATION.exec(head.toString('latin1', 0, 256)) ?? [];
  const decoder = decoderOf(mark ?? declared);
  if (!decoder || (mark === null && decoder.encoding.startsWith('utf-'))) return null;
  return decoder.decode(head);
}

function markOf(head: Buffer): string | null {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function decoderOf(label: string | undefined): TextDecoder | null {
  try {
    return label === undefined ? null : new TextDecoder(label);
  } catch {
    return null;
  }
}
