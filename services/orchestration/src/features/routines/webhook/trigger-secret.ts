import { randomBytes } from 'node:crypto';
import type { Transaction } from '@switchyard/db';
import type { DataKey, SecretBox } from '../../../adapters/secret-box/secret-box';
import { companyKey } from '../../secrets/store-version';

export async function newTriggerSecret(
  box: SecretBox,
  tx: Transaction,
  trigger: SecretPlaceOfTrigger,
  given?: string,
) {
  const secret = given ?? randomBytes(32).toString('base64url');
  const key = await companyKey(box, tx, trigger.companyId);
  const columns = {
    secretVersion: trigger.secretVersion,
    secretKeyId: key.id,
    secretCiphertext: box.seal(key, placeOf(trigger), secret),
  };
  return { secret, columns };
}

export function openTriggerSecret(
  box: SecretBox,
  key: DataKey,
  trigger: SecretPlaceOfTrigger & { secretCiphertext: Uint8Array },
): string {
  return box.open(key, placeOf(trigger), trigger.secretCiphertext);
}

interface SecretPlaceOfTrigger {
  companyId: string;
  id: string;
  secretVersion: number;
}

const placeOf = ({ companyId, id, secretVersion }: SecretPlaceOfTrigger) => ({
  companyId,
  secretId: id,
  version: secretVersion,
});
