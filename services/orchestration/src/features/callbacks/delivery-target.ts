import { refuseWrittenAddress, rulesFor } from '@switchyard/runner/network/guarded-connector';
import { invalidField } from '@switchyard/server';
import { refusePlainHttp } from '../../adapters/agents/http/plain-http';
import type { SecretBox } from '../../adapters/secret-box/secret-box';
import type { Call, Tx } from '../../kernel/call';
import { companyKey } from '../secrets/store-version';
import { outgoingRules } from './outgoing-rules';

export interface DeliveryTarget {
  url: string;
  secrets: { secret: string; until: string | null }[];
}

interface SealedTarget {
  id: string;
  companyId: string;
  secretVersion: number;
  keyId: string;
  masterKeyId: string;
  wrappedKey: Uint8Array;
  target: Uint8Array;
}

export function assertAddress({ context, companyId }: Call, field: string, url: string): void {
  const rules = rulesFor(outgoingRules(context.config), companyId);
  const refusal = refusePlainHttp(url, rules) ?? refuseWrittenAddress(url, rules);
  if (refusal !== null) throw invalidField(field, refusal);
}

export async function sealTarget(
  tx: Tx,
  { id, secretVersion }: { id: string; secretVersion: number },
  content: DeliveryTarget,
) {
  const { companyId, context } = tx;
  const key = await companyKey(context.secretBox, tx, companyId);
  const place = { companyId, secretId: id, version: secretVersion };
  return { keyId: key.id, target: context.secretBox.seal(key, place, JSON.stringify(content)) };
}

export function openTarget(box: SecretBox, sealed: SealedTarget): DeliveryTarget | null {
  const { id, companyId, secretVersion, keyId, masterKeyId, wrappedKey, target } = sealed;
  const key = { id: keyId, companyId, masterKeyId, wrappedKey: new Uint8Array(wrappedKey) };
  try {
    const place = { companyId, secretId: id, version: secretVersion };
    return JSON.parse(box.open(key, place, target)) as DeliveryTarget;
  } catch {
    return null;
  }
}
