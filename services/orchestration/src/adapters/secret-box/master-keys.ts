import { createHmac } from 'node:crypto';

export interface MasterKeys {
  current: Buffer;
  /** Opens older data keys until all are wrapped again. */
  old: Buffer | null;
}

/** Reveals nothing of the key. */
export function masterKeyId(key: Buffer): string {
  return createHmac('sha256', key).update('switchyard master key id').digest('hex').slice(0, 16);
}
