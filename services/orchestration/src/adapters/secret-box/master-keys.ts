import { createHmac } from 'node:crypto';

export interface MasterKeys {
  /** Wraps every key that is made or wrapped again. */
  current: Buffer;
  /** Still opens what it wrapped, until all of it is wrapped again. */
  old: Buffer | null;
}

/** Names a master key in stored rows and tells nothing of it. */
export function masterKeyId(key: Buffer): string {
  return createHmac('sha256', key).update('switchyard master key id').digest('hex').slice(0, 16);
}
