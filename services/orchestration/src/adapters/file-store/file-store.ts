import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** Both inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/** Keys are generated: no client input becomes part of one. */
export interface FileStore {
  /**
   * Stores `source` under a new key, visible only when complete; a failed source leaves nothing.
   */
  write(key: string, source: Readable): Promise<void>;
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Also removes the rest of an interrupted write; missing files are not an error. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** 128 random bits: cannot be guessed, and spread evenly over folders. */
export function newStorageKey(): string {
  return randomBytes(16).toString('hex');
}

/** @throws Error for keys that `newStorageKey` did not make, before one becomes a path */
export function assertStorageKey(key: string): void {
  if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('this is not a storage key');
}
