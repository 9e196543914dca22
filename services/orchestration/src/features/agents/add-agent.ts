import type { CreateAgentBody } from '@switchyard/types';
import type { Tx } from '../../kernel/call';
import { insertAgent } from '../../state/agents/configuration';
import { assertManager } from './assert-manager';
import { assertSecretsExist } from './configuration/secret-references';

/**
 * The only function that adds an agent; the caller has checked the configuration.
 * @throws ApiError 409 for a taken name, 422 for an invalid manager or secret
 */
export async function addAgent(
  tx: Tx,
  fields: CreateAgentBody & { status?: 'idle' | 'pending_approval' },
): Promise<{ id: string; name: string; role: string }> {
  if (fields.reportsTo) await assertManager(tx, null, fields.reportsTo);
  await assertSecretsExist(tx, fields.adapterConfig ?? {});
  return insertAgent(tx, { ...fields, wakeOnAssignment: fields.wakeOnAssignment ?? true });
}
