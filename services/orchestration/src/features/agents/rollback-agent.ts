import { inTransaction } from '@switchyard/db';
import { semantic } from '@switchyard/server';
import type { AgentConfiguration, AgentDetailView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { adapterConfigProblems, assertAllowedConfig, variableProblems } from './adapter-config';
import { getAgent } from './agents';
import { lockAgent, refuseTerminated } from './lock-agent';
import { writeConfiguration } from './write-configuration';

/**
 * Puts an agent back to the state after a revision, as a revision of its own (contract, "Config
 * revision"); rolling back to the present state changes nothing.
 * @throws Refusal 409 `agent_terminated` or `name_taken`, 422 when the revision names a manager, a
 * secret, a directory, an address or an adapter configuration that no longer can be
 */
export async function rollbackAgent(
  effects: Effects,
  scope: Scope,
  agentId: string,
  revisionId: string,
): Promise<AgentDetailView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    refuseTerminated(await lockAgent(tx, agentId));
    const before = await tx.agent.findUniqueOrThrow({ where: { id: agentId } });
    const revision = await tx.agentConfigRevision.findUniqueOrThrow({ where: { id: revisionId } });
    const wanted = revision.after as unknown as AgentConfiguration;
    const { adapterType, adapterConfig } = wanted;
    const problems = adapterConfigProblems(effects.adapters, adapterType, adapterConfig);
    const refused =
      problems.length > 0
        ? problems
        : variableProblems(effects.adapters, adapterType, adapterConfig);
    if (refused.length > 0) {
      throw semantic('semantic_error', 'the revision no longer fits its adapter', refused);
    }
    assertAllowedConfig(effects, companyId, adapterType, adapterConfig);
    const origin = { source: 'rollback', rolledBackFromRevisionId: revisionId } as const;
    const changed = await writeConfiguration(tx, scope, before, wanted, origin);
    if (changed.length > 0) {
      await recordActivity(tx, {
        companyId,
        actor,
        runId,
        action: 'agent.rolled_back',
        entityType: 'agent',
        entityId: agentId,
        details: { changed, revisionId, revisionNumber: revision.revisionNumber },
      });
    }
    return getAgent(tx, agentId);
  });
}
