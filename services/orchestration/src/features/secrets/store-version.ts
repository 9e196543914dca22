import { newId, type Transaction } from '@switchyard/db';
import type { DataKey, SecretBox, SecretPlace } from '../../adapters/secret-box/secret-box';

function findKey(box: SecretBox, tx: Transaction, companyId: string): Promise<DataKey | null> {
  return tx.prisma.secretKey.findFirst({
    where: { companyId, masterKeyId: { in: box.knownKeyIds } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/**
 * The company's data key. Where every one it has is wrapped by a master key that was lost, it gets
 * another, so that its secrets can be entered again.
 */
export async function companyKey(
  box: SecretBox,
  tx: Transaction,
  companyId: string,
): Promise<DataKey> {
  const found = await findKey(box, tx, companyId);
  if (found) return found;
  await tx.prisma
    .$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(${`secret_key:${companyId}`}, 0))) lock`;
  const made = await findKey(box, tx, companyId);
  if (made) return made;
  return tx.prisma.secretKey.create({ data: box.createDataKey({ id: newId(), companyId }) });
}

/** Encrypts a value into its row; the caller holds the secret's lock or has just made it. */
export async function storeVersion(
  box: SecretBox,
  tx: Transaction,
  place: SecretPlace,
  value: string,
): Promise<void> {
  const key = await companyKey(box, tx, place.companyId);
  const ciphertext = box.seal(key, place, value);
  await tx.prisma.secretVersion.create({
    data: { ...place, keyId: key.id, ciphertext },
    select: { version: true },
  });
}
