import { randomBytes } from 'node:crypto';
import { openBytes, sealBytes } from './aes-gcm';
import { type MasterKeys, masterKeyId } from './master-keys';

export interface DataKey {
  id: string;
  companyId: string;
  masterKeyId: string;
  wrappedKey: Uint8Array<ArrayBuffer>;
}

interface SecretPlace {
  companyId: string;
  secretId: string;
  version: number;
}

export interface SecretBox {
  currentKeyId: string;
  knownKeyIds: string[];
  createDataKey(key: { id: string; companyId: string }): DataKey;
  assertOpens(key: DataKey): void;
  rewrap(key: DataKey): DataKey;
  seal(key: DataKey, place: SecretPlace, value: string): Uint8Array<ArrayBuffer>;
  open(key: DataKey, place: SecretPlace, ciphertext: Uint8Array): string;
}

const DATA_KEY_BYTES = 32;

const keyPlace = ({ companyId, id }: { companyId: string; id: string }) => `key/${companyId}/${id}`;
const valuePlace = ({ companyId, secretId, version }: SecretPlace) =>
  `secret/${companyId}/${secretId}/${version}`;

export function createSecretBox(keys: MasterKeys): SecretBox {
  const known = new Map(
    [keys.old, keys.current].flatMap((key) => (key ? [[masterKeyId(key), key]] : [])),
  );
  const currentKeyId = masterKeyId(keys.current);

  function wrap(key: { id: string; companyId: string }, plain: Uint8Array): DataKey {
    const wrappedKey = sealBytes(keys.current, plain, keyPlace(key));
    const { id, companyId } = key;
    return { id, companyId, masterKeyId: currentKeyId, wrappedKey };
  }

  function unwrap(key: DataKey): Buffer {
    const master = known.get(key.masterKeyId);
    if (!master)
      throw new Error(
        `set SECRETS_MASTER_KEY or SECRETS_MASTER_KEY_OLD to the key with the id ${key.masterKeyId}`,
      );
    return openBytes(master, key.wrappedKey, keyPlace(key));
  }

  return {
    currentKeyId,
    knownKeyIds: [...known.keys()],
    createDataKey: (key) => wrap(key, randomBytes(DATA_KEY_BYTES)),
    assertOpens: (key) => void unwrap(key),
    rewrap: (key) => wrap(key, unwrap(key)),
    seal: (key, place, value) =>
      sealBytes(unwrap(key), Buffer.from(value, 'utf8'), valuePlace(place)),
    open: (key, place, ciphertext) =>
      openBytes(unwrap(key), ciphertext, valuePlace(place)).toString('utf8'),
  };
}
