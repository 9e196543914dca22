import type { AgentDetailView, CreateAgentBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { getAgent } from './agents';
import { checkAdapterConfig } from './configuration/adapter-config';
import { unmaskConfig } from './configuration/mask-config';
import { insertAgent } from './insert-agent';

/** @throws ApiError 409 name taken, 422 for a manager, a secret, a directory or an address that cannot be named */
export async function createAgent(call: Call, body: CreateAgentBody): Promise<AgentDetailView> {
  const { companyId } = call;
  const adapterConfig = unmaskConfig(body.adapterConfig ?? {}, {});
  checkAdapterConfig(call.context, companyId, body.adapterType, adapterConfig);
  return inTransaction(call, async (tx) => {
    const agent = await insertAgent(tx, { ...body, adapterConfig });
    await tx.record('agent.created', agent.id, { name: agent.name, role: agent.role });
    return getAgent(tx, agent.id);
  });
}
