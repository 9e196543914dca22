import { type AgentModel, newId, type Prisma, type Tx } from '@switchyard/db';
import type { CreateAgentBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { withUniqueName } from './agent-names';
import { assertManager } from './assert-manager';
import { recordRevision } from './record-revision';
import { assertSecretsExist } from './secret-references';

/**
 * The one way an agent comes to be, by the board or as the draft of a hire. The caller has checked the
 * configuration against its adapter.
 * @throws Refusal 409 name taken, 422 for a manager or a secret that cannot be named
 */
export async function insertAgent(
  tx: Tx,
  scope: Pick<Scope, 'actor' | 'companyId'>,
  fields: CreateAgentBody & { status?: 'idle' | 'pending_approval' },
): Promise<AgentModel> {
  const { companyId } = scope;
  const adapterConfig = fields.adapterConfig ?? {};
  if (fields.reportsTo) await assertManager(tx, companyId, null, fields.reportsTo);
  await assertSecretsExist(tx, companyId, adapterConfig);
  const created = tx.agent.create({
    data: {
      ...fields,
      id: newId(),
      companyId,
      adapterConfig: adapterConfig as Prisma.InputJsonObject,
    },
  });
  const agent = await withUniqueName(fields.name, created);
  await recordRevision(tx, scope, null, agent, { source: 'create' });
  return agent;
}
