import { createHmac } from 'node:crypto';

export interface MasterKeys {
  current: Buffer;
  old: Buffer | null;
}

export function masterKeyId(key: Buffer): string {
  return createHmac('sha256', key).update('switchyard master key id').digest('hex').slice(0, 16);
}
