import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** First and last byte, both included. */
interface ByteRange {
  start: number;
  end: number;
}

/** Where the bytes of assets live. Keys are ours alone: nothing a client says becomes part of one. */
export interface FileStore {
  /**
   * Keeps what `source` yields under `key`, which nothing was kept under before. Nothing is to be seen
   * there until everything is; a source that fails leaves nothing and rejects with its error.
   */
  write(key: string, source: Readable): Promise<void>;
  /** Null when nothing is kept under `key`. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Also what a write that was cut short has left; nothing to remove is no error. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** 128 random bits: keys cannot be guessed and spread evenly over folders. */
export function newStorageKey(): string {
  return randomBytes(16).toString('hex');
}

/** @throws Error for anything `newStorageKey` did not make, before it can become a path */
export function assertStorageKey(key: string): void {
  if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('this is not a storage key');
}
