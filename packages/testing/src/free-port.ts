import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what Linux (from 32768) and macOS (from 49152) give to whoever asks for any port, or calls another. */
const LOWEST = 20_000;
const COUNT = 12_000;

// Two runs at once seldom reach for the same ones.
let next = randomInt(COUNT);

/** A port for a process that is about to start: the system gives it to no other meanwhile, and no two calls return the same. */
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
