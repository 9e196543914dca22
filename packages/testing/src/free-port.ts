import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports of Linux (from 32768) and macOS (from 49152). */
const LOWEST = 20_000;
const COUNT = 12_000;

let next = randomInt(COUNT);

export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = LOWEST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free from ${LOWEST} to ${LOWEST + COUNT - 1}`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
