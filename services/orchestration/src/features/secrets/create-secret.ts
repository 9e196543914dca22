import { inTransaction, newId } from '@switchyard/db';
import type { CreateSecretBody, SecretView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { presentSecret } from './present-secret';
import { withUniqueName } from './secrets';
import { storeVersion } from './store-version';

/** @throws Refusal 409 `name_taken` */
export async function createSecret(
  effects: Effects,
  scope: Scope,
  body: CreateSecretBody,
): Promise<SecretView> {
  const { companyId, actor, runId } = scope;
  const { name, description = null, value } = body;
  return inTransaction(scope.db, async (tx) => {
    const created = tx.secret.create({ data: { id: newId(), companyId, name, description } });
    const secret = await withUniqueName(name, created);
    const { id: secretId, latestVersion: version } = secret;
    await storeVersion(effects.secretBox, tx, { companyId, secretId, version }, value);
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'secret.created',
      entityType: 'secret',
      entityId: secretId,
      details: { name },
    });
    return presentSecret(secret);
  });
}
