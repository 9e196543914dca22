import type { SavedAgentView, UpdateAgentBody } from '@switchyard/types';
import { assertMayChangeAgent } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent, refuseTerminated } from '../../state/agents/lock-agent';
import { assertAgentMayBeUnlimited } from '../../state/budgets/confirm-unlimited';
import { getAgent } from './agents';
import { checkAdapterConfig } from './configuration/adapter-config';
import { withWarnings } from './configuration/config-warnings';
import { unmaskConfig } from './configuration/mask-config';
import { writeConfiguration } from './configuration/write-configuration';

export async function updateAgent(
  call: Call,
  agentId: string,
  body: UpdateAgentBody,
): Promise<SavedAgentView> {
  assertMayChangeAgent(call, agentId, Object.keys(body));
  return inTransaction(call, async (tx) => {
    refuseTerminated(await lockAgent(tx, agentId));
    await assertAgentMayBeUnlimited(tx, agentId, body);
    const { confirmUnlimited: _, ...fields } = body;
    const before = await tx.prisma.agent.findUniqueOrThrow({ where: { id: agentId } });
    const stored = before.adapterConfig as Record<string, unknown>;
    const adapterConfig = body.adapterConfig ? unmaskConfig(body.adapterConfig, stored) : stored;
    if (body.adapterConfig || body.adapterType) {
      checkAdapterConfig(tx, body.adapterType ?? before.adapterType, adapterConfig);
    }
    const wanted = { ...fields, ...(body.adapterConfig && { adapterConfig }) };
    const changed = await writeConfiguration(tx, before, wanted, { source: 'patch' });
    if (changed.length > 0) await tx.record('agent.updated', agentId, { changed });
    return withWarnings(tx, await getAgent(tx, agentId));
  });
}
