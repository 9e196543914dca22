/** Bytes per token, typical of English text and code; only for estimates. */
const BYTES_PER_TOKEN = 4;
/**
 * Maximum tokens of an image after scaling. Anthropic's highest resolution has 4,784
 * (platform.claude.com/docs/en/build-with-claude/vision).
 */
export const TOKENS_PER_IMAGE = 4_784;

export const tokensIn = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN);

const FILE_FIELDS = new Set(['data', 'url', 'image_url', 'file_data', 'b64_json']);
const DATA_URL = /^data:[\w.+/-]+;base64,/;
const IMAGE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;
const BASE64 = /^[A-Za-z0-9+/=_-]*$/;
const HEAD_BYTES = 128;

export function bytesOfText(name: string, value: string): number {
  const bytes = Buffer.byteLength(value);
  return isImage(name, value) ? bytesOfImage(bytes) : bytes;
}

const bytesOfImage = (bytes: number) => Math.min(bytes, TOKENS_PER_IMAGE * BYTES_PER_TOKEN);

function isImage(name: string | null, text: string): boolean {
  const encoded = text.replace(DATA_URL, '');
  return name !== null && FILE_FIELDS.has(name) && IMAGE.test(encoded) && BASE64.test(encoded);
}

export function bytesOfJson(text: Buffer): number {
  const size = sizeText();
  size.write(text);
  return size.bytes();
}

export interface SizedText {
  write(chunk: Buffer): void;
  bytes(): number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Measures streamed JSON of any length without storing it. Other text counts by its bytes. */
export function sizeText(): SizedText {
  let bytes = 0;
  let inText = false;
  let isEscaped = false;
  let last: string | null = null;
  let field: string | null = null;
  let head = '';
  let length = 0;
  let isEncoded = true;

  const readText = (part: Buffer): void => {
    length += part.length;
    const room = HEAD_BYTES - head.length;
    if (room > 0) head += part.toString('latin1', 0, room);
    const rest = part.length > room ? part.toString('latin1', Math.max(0, room)) : '';
    isEncoded &&= BASE64.test(rest);
  };
  const readBetween = (part: string): void => {
    if (part !== '') field = part.endsWith(':') ? last : null;
  };
  const endText = (): void => {
    if (isEncoded && isImage(field, head)) bytes -= length - bytesOfImage(length);
    last = length <= HEAD_BYTES ? head : null;
    field = null;
    [head, length, isEncoded] = ['', 0, true];
  };
  const endOfText = (chunk: Buffer, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      if (isEscaped) isEscaped = false;
      else if (chunk[at] === BACKSLASH) isEscaped = true;
      else if (chunk[at] === QUOTE) return at;
    }
    return -1;
  };

  return {
    write: (chunk) => {
      bytes += chunk.length;
      let at = 0;
      while (at < chunk.length) {
        const end = inText ? endOfText(chunk, at) : chunk.indexOf(QUOTE, at);
        const part = chunk.subarray(at, end < 0 ? chunk.length : end);
        if (inText) readText(part);
        else readBetween(part.toString('latin1').trimEnd());
        if (end < 0) return;
        if (inText) endText();
        inText = !inText;
        at = end + 1;
      }
    },
    bytes: () => bytes,
  };
}
