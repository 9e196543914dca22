import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type ScanContent = (content: Readable) => Promise<string | null>;

export interface ScannerAddress {
  host: string;
  port: number;
}

const WITHIN_MS = 60_000;
const MAX_ANSWER_BYTES = 1_024;

export function connectScanner(address: ScannerAddress, withinMs = WITHIN_MS): ScanContent {
  return async (content) => {
    const signal = AbortSignal.timeout(withinMs);
    const socket = connect(address);
    try {
      const answered = readAnswer(socket, signal);
      const sent = send(content, socket, signal);
      answered.catch(() => undefined);
      sent.catch(() => undefined);
      return verdictOf(await Promise.race([answered, sent.then(() => answered)]));
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Error(`the scanner returned no verdict within ${withinMs} ms`, { cause: error });
    } finally {
      content.destroy();
      socket.destroy();
    }
  };
}

async function send(content: Readable, socket: Socket, signal: AbortSignal): Promise<void> {
  if (socket.connecting) await once(socket, 'connect', { signal });
  await pipeline(content, framed, socket, { signal, end: false });
}

async function* framed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for await (const chunk of content) {
    if (chunk.length > 0) yield Buffer.concat([lengthOf(chunk), chunk]);
  }
  yield Buffer.alloc(4);
}

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

async function readAnswer(socket: Socket, signal: AbortSignal): Promise<string> {
  const abort = () => socket.destroy(new Error('the time limit for a verdict has passed'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of socket as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      const text = Buffer.concat(parts).toString('utf8');
      if (text.includes('\0')) return text.slice(0, text.indexOf('\0'));
      if (bytes > MAX_ANSWER_BYTES)
        throw new Error('the scanner sent a response too long for a verdict');
    }
    throw new Error('the scanner closed the connection without a verdict');
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function verdictOf(answer: string): string | null {
  if (answer === 'stream: OK') return null;
  const found = /^stream: (.{1,200}) FOUND$/.exec(answer)?.[1];
  if (found) return found;
  throw new Error(`the scanner returned no verdict: ${JSON.stringify(answer.slice(0, 200))}`);
}
