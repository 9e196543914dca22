import { newId } from '@switchyard/db';
import type { CreateSecretBody, SecretView } from '@switchyard/types';
import { actorColumns } from '../../kernel/actor';
import { type Call, inTransaction } from '../../kernel/call';
import { nameKey, withUniqueName } from '../../state/names/unique-names';
import { presentSecret, ROTATE } from './secrets';
import { storeVersion } from './store-version';

export async function createSecret(call: Call, body: CreateSecretBody): Promise<SecretView> {
  const { companyId } = call;
  const { name, description = null, value } = body;
  return inTransaction(call, async (tx) => {
    const createdByUserId = actorColumns(call.actor).actorId;
    const data = {
      id: newId(),
      companyId,
      name,
      nameKey: nameKey(name),
      description,
      createdByUserId,
    };
    const secret = await withUniqueName(
      'a secret',
      name,
      tx.prisma.secret.create({ data }),
      ROTATE,
    );
    await storeVersion(tx, { secretId: secret.id, version: secret.latestVersion }, value);
    await tx.record('secret.created', secret.id, { name });
    return presentSecret(secret);
  });
}
