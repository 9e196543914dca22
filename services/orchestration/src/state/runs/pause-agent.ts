import { recordActivities } from '../../kernel/activity';
import { SYSTEM } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import type { LockedAgent } from '../agents/lock-agent';
import { type PauseReason, writePause } from '../agents/transitions';
import { haltRuns } from './halt-runs';

const HALT_REASON = {
  manual: 'agent_paused',
  budget: 'agent_budget',
  failures: 'agent_paused',
} as const;

/** Requires the agent's lock. */
export async function pauseAgent(
  tx: Tx,
  { id, companyId }: Pick<LockedAgent, 'id' | 'companyId'>,
  reason: PauseReason,
  why: Record<string, unknown> = {},
): Promise<void> {
  await writePause(tx, id, reason);
  await haltRuns(tx, [id], HALT_REASON[reason]);
  const entry = { companyId, action: 'agent.paused', entityId: id, details: { reason, ...why } };
  const by = reason === 'manual' ? tx : { actor: SYSTEM, runId: null };
  await recordActivities(tx, [{ ...entry, actor: by.actor, runId: by.runId }]);
}
