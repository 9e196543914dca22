import { ask, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { SecretView, UpdateSecretBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { nameColumns, withUniqueName } from '../../state/names/unique-names';
import { presentSecret, ROTATE } from './secrets';
import { storeVersion } from './store-version';

/**
 * Writes changed fields. A value always creates a new version: comparing it with the latest value
 * would reveal the latest value (spec, "Secret").
 * @throws ApiError 409 `name_taken`, 404 after a concurrent deletion
 */
export async function updateSecret(
  call: Call,
  secretId: string,
  body: UpdateSecretBody,
): Promise<SecretView> {
  const { value, ...metadata } = body;
  return inTransaction(call, async (tx) => {
    const [locked] = await ask(tx, lockSecret, { secretId });
    if (!locked) throw notFound('secret');
    const before = await tx.prisma.secret.findUniqueOrThrow({ where: { id: secretId } });
    const changed: string[] = changedFields(before, metadata);
    if (value !== undefined) changed.push('value');
    if (changed.length === 0) return presentSecret(before);
    const latestVersion = before.latestVersion + (value === undefined ? 0 : 1);
    if (value !== undefined) await storeVersion(tx, { secretId, version: latestVersion }, value);
    const data = { ...metadata, ...nameColumns(metadata.name), latestVersion };
    const written = tx.prisma.secret.update({ where: { id: secretId }, data });
    const after = await withUniqueName('a secret', metadata.name, written, ROTATE);
    await tx.record('secret.updated', secretId, { name: after.name, changed, latestVersion });
    return presentSecret(after);
  });
}

const lockSecret = statement('lock-secret', {
  takes: { secretId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ secretId }) => `SELECT id FROM secret WHERE id = ${secretId} FOR NO KEY UPDATE`,
});
