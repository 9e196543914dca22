import { filetypemime } from 'magic-bytes.js';

/** How much of a file is looked at; every known signature lies within. */
export const HEAD_BYTES = 4_100;

const TEXT = 'text/plain; charset=utf-8';
const BINARY = 'application/octet-stream';

/** Markup is decided by what stands in it, because its signatures are ordinary text. */
const MARKUP = /^text\/|[/+]xml$|html|svg|javascript|json/;

/** White space, comments, declarations and a doctype may stand before the root of a document. */
function rootElement(text: string): string | null {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    while (at < text.length && /\s/.test(text[at] as string)) at++;
    const skips = [
      ['<!--', '-->'],
      ['<?', '?>'],
      ['<!', '>'],
    ] as const;
    const skip = skips.find(([begin]) => text.startsWith(begin, at));
    if (!skip) break;
    const end = text.indexOf(skip[1], at + skip[0].length);
    if (end < 0) return null;
    at = end + skip[1].length;
  }
  return /^<([a-z][a-z0-9:_-]{0,30})[\s/>]/i.exec(text.slice(at, at + 40))?.[1] ?? null;
}

function isPlainText(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const isControl = code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13;
    if (isControl || code === 127 || code === 0xfffd) return false;
  }
  return true;
}

/**
 * What a file is by its own first bytes; what the sender calls it is never asked (guarantee G26). Text
 * that is no SVG is plain text, also when it is HTML or a script. A `head` may end inside a character.
 */
export function contentTypeOf(head: Buffer): string {
  const known = filetypemime(head).find((mime) => !MARKUP.test(mime));
  const text = head.toString('utf8').replace(/\uFFFD{1,3}$/, '');
  if (!isPlainText(text)) return known ?? BINARY;
  if (rootElement(text)?.toLowerCase() === 'svg') return 'image/svg+xml';
  return known ?? TEXT;
}
