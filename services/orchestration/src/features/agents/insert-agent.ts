import { type AgentModel, newId, type Prisma } from '@switchyard/db';
import type { CreateAgentBody } from '@switchyard/types';
import type { Tx } from '../../call';
import { withUniqueName } from './agent-names';
import { assertManager } from './assert-manager';
import { assertSecretsExist } from './configuration/secret-references';
import { recordRevision } from './record-revision';

/**
 * The one way an agent comes to be, by the board or as the draft of a hire. The caller has checked the
 * configuration against its adapter.
 * @throws ApiError 409 name taken, 422 for a manager or a secret that cannot be named
 */
export async function insertAgent(
  tx: Tx,
  fields: CreateAgentBody & { status?: 'idle' | 'pending_approval' },
): Promise<AgentModel> {
  const { companyId } = tx;
  const adapterConfig = fields.adapterConfig ?? {};
  if (fields.reportsTo) await assertManager(tx, companyId, null, fields.reportsTo);
  await assertSecretsExist(tx, companyId, adapterConfig);
  const created = tx.prisma.agent.create({
    data: {
      ...fields,
      id: newId(),
      companyId,
      adapterConfig: adapterConfig as Prisma.InputJsonObject,
    },
  });
  const agent = await withUniqueName(fields.name, created);
  await recordRevision(tx, null, agent, { source: 'create' });
  return agent;
}
