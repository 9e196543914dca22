import { unprocessable } from '@switchyard/server';
import type { AgentConfiguration, RollbackAgentBody, SavedAgentView } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockAgent, refuseTerminated } from '../../../state/agents/lock-agent';
import { assertAgentMayBeUnlimited } from '../../../state/budgets/confirm-unlimited';
import { getAgent } from '../agents';
import { assertAllowedConfig, configurationProblems } from './adapter-config';
import { withWarnings } from './config-warnings';
import { writeConfiguration } from './write-configuration';

/**
 * Restores the configuration that a revision wrote, by writing a new revision.
 * @throws ApiError 409 `agent_terminated`, `name_taken` or `confirmation_required`, 422 for
 * references or settings that are no longer valid
 */
export async function rollbackAgent(
  call: Call,
  agentId: string,
  revisionId: string,
  body: RollbackAgentBody,
): Promise<SavedAgentView> {
  return inTransaction(call, async (tx) => {
    refuseTerminated(await lockAgent(tx, agentId));
    const before = await tx.prisma.agent.findUniqueOrThrow({ where: { id: agentId } });
    const revision = await tx.prisma.agentConfigRevision.findUniqueOrThrow({
      where: { id: revisionId },
    });
    const wanted = revision.after as unknown as AgentConfiguration;
    await assertAgentMayBeUnlimited(tx, agentId, { ...wanted, ...body });
    const { adapterType, adapterConfig } = wanted;
    const problems = configurationProblems(tx.context.adapters, adapterType, adapterConfig);
    if (problems.length > 0) {
      throw unprocessable(
        'semantic_error',
        'the configuration of this revision is no longer valid for its adapter',
        problems,
      );
    }
    assertAllowedConfig(tx, adapterType, adapterConfig);
    const origin = { source: 'rollback', rolledBackFromRevisionId: revisionId } as const;
    const changed = await writeConfiguration(tx, before, wanted, origin);
    if (changed.length > 0) {
      const { revisionNumber } = revision;
      await tx.record('agent.rolled_back', agentId, { changed, revisionId, revisionNumber });
    }
    return withWarnings(tx, await getAgent(tx, agentId));
  });
}
