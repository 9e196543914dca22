import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

interface ByteRange {
  start: number;
  end: number;
}

export interface FileStore {
  /**
   * Stores `source` under a new key. The file becomes visible only when it is complete; if `source`
   * fails, no file remains.
   */
  write(key: string, source: Readable): Promise<void>;
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Also removes the remains of an interrupted write. A missing file is not an error. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

export function newStorageKey(): string {
  return randomBytes(16).toString('hex');
}

/**
 * @throws Error for keys that `newStorageKey` did not create, so that client input never becomes a
 * path
 */
export function assertStorageKey(key: string): void {
  if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('a storage key must be 32 hexadecimal digits');
}
