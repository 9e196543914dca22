import { closeSync, openSync, readSync } from 'node:fs';

/** Most files of /proc are shorter; a longer one is read in several goes. */
const BYTES = 64 * 1024;
const shared = Buffer.allocUnsafe(BYTES);

/**
 * The text of one file of /proc. Such files tell no size, so `readFileSync` would take 64 KiB anew for each: with some
 * hundred processes on a host that is most of the garbage that the end of a run makes. Synchronous, so that the one
 * buffer is never read into twice at once.
 * @throws the error of the system when the process is gone or another user's
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
