import type { AgentModel } from '@switchyard/db';
import type { CreateAgentBody } from '@switchyard/types';
import type { Tx } from '../../kernel/call';
import { insertAgent } from '../../state/agents/configuration';
import { assertManager } from './assert-manager';
import { assertSecretsExist } from './configuration/secret-references';

/**
 * The only way to add an agent; the caller has checked the configuration. @throws ApiError 409 name
 * taken, 422 for an invalid manager or secret
 */
export async function addAgent(
  tx: Tx,
  fields: CreateAgentBody & { status?: 'idle' | 'pending_approval' },
): Promise<AgentModel> {
  if (fields.reportsTo) await assertManager(tx, null, fields.reportsTo);
  await assertSecretsExist(tx, fields.adapterConfig ?? {});
  return insertAgent(tx, { ...fields, wakeOnAssignment: fields.wakeOnAssignment ?? true });
}
