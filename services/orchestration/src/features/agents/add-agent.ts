import type { AgentModel } from '@switchyard/db';
import type { CreateAgentBody } from '@switchyard/types';
import type { Tx } from '../../call';
import { insertAgent } from '../../state/agents/configuration';
import { assertManager } from './assert-manager';
import { assertSecretsExist } from './configuration/secret-references';

/**
 * The one way an agent is added, by the board or as the draft of a hire. The caller has checked the configuration against
 * its adapter. Work that is given to it wakes it, unless it is said otherwise: delegated work would not start.
 * @throws ApiError 409 name taken, 422 for a manager or a secret that cannot be named
 */
export async function addAgent(
  tx: Tx,
  fields: CreateAgentBody & { status?: 'idle' | 'pending_approval' },
): Promise<AgentModel> {
  if (fields.reportsTo) await assertManager(tx, null, fields.reportsTo);
  await assertSecretsExist(tx, fields.adapterConfig ?? {});
  return insertAgent(tx, { ...fields, wakeOnAssignment: fields.wakeOnAssignment ?? true });
}
