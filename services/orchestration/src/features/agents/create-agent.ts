import type { CreateAgentBody, SavedAgentView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { addAgent } from './add-agent';
import { getAgent } from './agents';
import { checkAdapterConfig } from './configuration/adapter-config';
import { withWarnings } from './configuration/config-warnings';
import { unmaskConfig } from './configuration/mask-config';

export async function createAgent(call: Call, body: CreateAgentBody): Promise<SavedAgentView> {
  const adapterConfig = unmaskConfig(body.adapterConfig ?? {}, {});
  checkAdapterConfig(call, body.adapterType, adapterConfig);
  return inTransaction(call, async (tx) => {
    const agent = await addAgent(tx, { ...body, adapterConfig });
    await tx.record('agent.created', agent.id, { name: agent.name, role: agent.role });
    return withWarnings(tx, await getAgent(tx, agent.id));
  });
}
