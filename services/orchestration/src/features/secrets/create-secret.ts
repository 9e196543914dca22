import { newId } from '@switchyard/db';
import type { CreateSecretBody, SecretView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { presentSecret } from './present-secret';
import { withUniqueName } from './secrets';
import { storeVersion } from './store-version';

/** @throws ApiError 409 `name_taken` */
export async function createSecret(call: Call, body: CreateSecretBody): Promise<SecretView> {
  const { companyId } = call;
  const { name, description = null, value } = body;
  return inTransaction(call, async (tx) => {
    const created = tx.prisma.secret.create({
      data: { id: newId(), companyId, name, description },
    });
    const secret = await withUniqueName(name, created);
    const { id: secretId, latestVersion: version } = secret;
    await storeVersion(call.context.secretBox, tx, { companyId, secretId, version }, value);
    await tx.record('secret.created', secretId, { name });
    return presentSecret(secret);
  });
}
