import { ask, newId, statement, type Transaction } from '@switchyard/db';
import type { DataKey, SecretBox } from '../../adapters/secret-box/secret-box';
import type { Tx } from '../../kernel/call';

/**
 * Encrypts a value and stores it in the version's row. The caller holds the secret's lock or has
 * just created the secret.
 */
export async function storeVersion(
  tx: Tx,
  { secretId, version }: { secretId: string; version: number },
  value: string,
): Promise<void> {
  const { companyId } = tx;
  const { secretBox } = tx.context;
  const key = await companyKey(secretBox, tx, companyId);
  const place = { companyId, secretId, version };
  const ciphertext = secretBox.seal(key, place, value);
  await tx.prisma.secretVersion.create({
    data: { ...place, keyId: key.id, ciphertext },
    select: { version: true },
  });
}

/**
 * Returns the company's data key. If the master keys of all existing data keys are lost, creates
 * another data key, so that secrets can be entered again.
 */
export async function companyKey(
  box: SecretBox,
  tx: Transaction,
  companyId: string,
): Promise<DataKey> {
  const found = await findKey(box, tx, companyId);
  if (found) return found;
  await ask(tx, lockKeys, { name: `secret_key:${companyId}` });
  const made = await findKey(box, tx, companyId);
  if (made) return made;
  const key = box.createDataKey({ id: newId(), companyId });
  await ask(tx, insertKey, { ...key });
  return key;
}

function findKey(box: SecretBox, tx: Transaction, companyId: string): Promise<DataKey | null> {
  return tx.prisma.secretKey.findFirst({
    where: { companyId, masterKeyId: { in: box.knownKeyIds } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

const insertKey = statement('insert-secret-key', {
  takes: { id: 'uuid', companyId: 'uuid', masterKeyId: 'text', wrappedKey: 'bytes' },
  gives: {},
  sql: (p) => `
    INSERT INTO secret_key (id, company_id, master_key_id, wrapped_key)
    VALUES (${p.id}, ${p.companyId}, ${p.masterKeyId}, ${p.wrappedKey})`,
});

const lockKeys = statement('lock-secret-keys', {
  takes: { name: 'text' },
  gives: {},
  sql: ({ name }) =>
    `SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))) locked`,
});
