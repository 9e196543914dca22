import { randomBytes } from 'node:crypto';
import { invalidField, SIGNING_KEY_RULE, signingKey } from '@switchyard/server';
import type { Tx } from '../../kernel/call';
import { type DeliveryTarget, sealTarget } from '../callbacks/delivery-target';

export function newSecret(given?: string): string {
  if (given === undefined) return `whsec_${randomBytes(32).toString('base64')}`;
  if (signingKey(given) === null) throw invalidField('secret', SIGNING_KEY_RULE);
  return given;
}

export async function targetColumns(
  tx: Tx,
  endpoint: { id: string; secretVersion: number },
  content: DeliveryTarget,
) {
  const { keyId, target } = await sealTarget(tx, endpoint, content);
  const { secretVersion } = endpoint;
  return { host: new URL(content.url).host, secretVersion, targetKeyId: keyId, target };
}
