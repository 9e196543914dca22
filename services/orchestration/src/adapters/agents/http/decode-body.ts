import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export function codingsOf(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity');
}

const KNOWN = ['gzip', 'x-gzip', 'deflate', 'br'];
const MAX_CODINGS = 2;

export function isDecodable(codings: readonly string[]): boolean {
  return codings.length <= MAX_CODINGS && codings.every((name) => KNOWN.includes(name));
}

export async function decodeBody(body: Readable, codings: readonly string[]): Promise<Readable> {
  let decoded = body;
  for (const name of codings.toReversed()) {
    const chunks: AsyncIterator<Buffer> = decoded[Symbol.asyncIterator]();
    const first = await chunks.next();
    if (first.done) return Readable.from([]);
    const encoded = Readable.from(startingWith(first.value, chunks));
    decoded = pipeline(encoded, decoderOf(name, first.value), () => {});
  }
  return decoded;
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>) {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function decoderOf(name: string, head: Buffer) {
  if (name === 'br') return createBrotliDecompress();
  if (name !== 'deflate') return createGunzip();
  // Detects the zlib header, which some servers omit: the low nibble of its first byte is 8.
  return ((head[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

export const isDecodingError = (code: string) => /^(Z_|ERR__ERROR_)/.test(code);
