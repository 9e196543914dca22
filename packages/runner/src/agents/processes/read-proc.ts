import { closeSync, openSync, readSync } from 'node:fs';

const BYTES = 64 * 1024;
const shared = Buffer.allocUnsafe(BYTES);

/**
 * Reads a file of /proc. `readFileSync` would allocate 64 KiB, because the file has no size.
 * Synchronous, so that the shared buffer has only one user.
 * @throws the system's error for a process that has exited or belongs to another user
 */
export function readProc(path: string, encoding: 'latin1' | 'utf8'): string {
  const file = openSync(path, 'r');
  try {
    const first = readSync(file, shared, 0, BYTES, null);
    if (first < BYTES) return shared.toString(encoding, 0, first);
    const parts = [Buffer.from(shared)];
    for (let read = first; read > 0; ) {
      read = readSync(file, shared, 0, BYTES, null);
      parts.push(Buffer.from(shared.subarray(0, read)));
    }
    return Buffer.concat(parts).toString(encoding);
  } finally {
    closeSync(file);
  }
}
