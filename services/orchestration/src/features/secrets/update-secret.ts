import { inTransaction } from '@switchyard/db';
import type { SecretView, UpdateSecretBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { changedFields } from '../../changed-fields';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { presentSecret } from './present-secret';
import { withUniqueName } from './secrets';
import { storeVersion } from './store-version';

/**
 * Writes what differs; a value always makes a new version, since comparing it with the last one would
 * tell that one (spec, "Secret").
 * @throws Refusal 409 `name_taken`
 */
export async function updateSecret(
  effects: Effects,
  scope: Scope,
  secretId: string,
  body: UpdateSecretBody,
): Promise<SecretView> {
  const { companyId, actor, runId } = scope;
  const { value, ...metadata } = body;
  return inTransaction(scope.db, async (tx) => {
    // One writer at a time, so that versions are numbered without gap or duplicate.
    await tx.$queryRaw`SELECT 1 FROM secret WHERE id = ${secretId}::uuid FOR NO KEY UPDATE`;
    const before = await tx.secret.findUniqueOrThrow({ where: { id: secretId } });
    const changed: string[] = changedFields(before, metadata);
    if (value !== undefined) changed.push('value');
    if (changed.length === 0) return presentSecret(before);
    const version = before.latestVersion + (value === undefined ? 0 : 1);
    if (value !== undefined) {
      await storeVersion(effects.secretBox, tx, { companyId, secretId, version }, value);
    }
    const written = tx.secret.update({
      where: { id: secretId },
      data: { ...metadata, latestVersion: version },
    });
    const after = await withUniqueName(metadata.name, written);
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'secret.updated',
      entityType: 'secret',
      entityId: secretId,
      details: { name: after.name, changed, latestVersion: version },
    });
    return presentSecret(after);
  });
}
