import { TextDecoder } from 'node:util';

const DECLARATION = /^<\?xml[^>]{0,100}\sencoding\s*=\s*["']([A-Za-z][\w.:-]{0,40})["']/;

/**
 * Decodes XML that is not UTF-8 by its byte order mark or its declared encoding (XML 1.0, appendix
 * F). @returns null without either, or for an unknown encoding
 */
export function xmlText(head: Buffer): string | null {
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
