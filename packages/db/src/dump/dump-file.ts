import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export interface DumpFile {
  path: string;
  bytes: number;
  sha256: string;
}

export function createMeter() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

export const createFile = (path: string) =>
  createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });

export async function writeCompressed(
  path: string,
  source: Readable,
): Promise<{ bytes: number; sha256: string }> {
  const meter = createMeter();
  await pipeline(source, createGzip({ level: 1 }), meter.stream, createFile(path));
  return meter.result();
}

export function readCompressed(path: string): Readable {
  const file = createReadStream(path);
  const plain = createGunzip();
  pipeline(file, plain).catch((error) => plain.destroy(error));
  return plain;
}

export async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const meter = createMeter();
  await pipeline(createReadStream(path), meter.stream.resume());
  return meter.result();
}
