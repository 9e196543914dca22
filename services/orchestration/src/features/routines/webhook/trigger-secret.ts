import { randomBytes } from 'node:crypto';
import type { Transaction } from '@switchyard/db';
import type { DataKey, SecretBox } from '../../../adapters/secret-box/secret-box';
import { companyKey } from '../../secrets/store-version';

/**
 * What the sender has made, else 256 random bits; kept as ciphertext, because a signature cannot be checked
 * with a hash of it.
 */
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

/** @throws Error when the master key is another one */
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
