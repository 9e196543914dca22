import type { SecretView, UpdateSecretBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { changedFields } from '../../state/changed-fields';
import { presentSecret } from './present-secret';
import { withUniqueName } from './secrets';
import { storeVersion } from './store-version';

/**
 * Writes what differs; a value always makes a new version, since comparing it with the last one would
 * tell that one (spec, "Secret").
 * @throws ApiError 409 `name_taken`
 */
export async function updateSecret(
  call: Call,
  secretId: string,
  body: UpdateSecretBody,
): Promise<SecretView> {
  const { companyId } = call;
  const { value, ...metadata } = body;
  return inTransaction(call, async (tx) => {
    // One writer at a time, so that versions are numbered without gap or duplicate.
    await tx.prisma.$queryRaw`SELECT 1 FROM secret WHERE id = ${secretId}::uuid FOR NO KEY UPDATE`;
    const before = await tx.prisma.secret.findUniqueOrThrow({ where: { id: secretId } });
    const changed: string[] = changedFields(before, metadata);
    if (value !== undefined) changed.push('value');
    if (changed.length === 0) return presentSecret(before);
    const version = before.latestVersion + (value === undefined ? 0 : 1);
    if (value !== undefined) {
      await storeVersion(call.context.secretBox, tx, { companyId, secretId, version }, value);
    }
    const written = tx.prisma.secret.update({
      where: { id: secretId },
      data: { ...metadata, latestVersion: version },
    });
    const after = await withUniqueName(metadata.name, written);
    await tx.record('secret.updated', secretId, {
      name: after.name,
      changed,
      latestVersion: version,
    });
    return presentSecret(after);
  });
}
