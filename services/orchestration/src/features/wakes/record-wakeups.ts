import { afterCommit, newId, type Prisma } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource } from '@switchyard/types';
import type { Tx } from '../../call';
import { recordActivities } from '../../state/activity';
import { wakeHops } from './wake-hops';

export interface Wakes {
  agentIds: string[];
  source: RunSource;
  issueId: string | null;
  commentId?: string;
  routineRunId?: string;
  reason?: string;
  payload?: Record<string, unknown>;
}

/**
 * Writes wakes down in the caller's transaction, so that they are true exactly when what caused them is;
 * a worker admits them after the commit (guarantees G1, G7). Takes no lock on the agents: the caller may
 * hold the lock of an issue, and agents are locked before issues. A chain of agents waking agents ends
 * at the hop cap: then nothing is recorded but the fact (guarantee G11).
 */
export async function recordWakeups(tx: Tx, wakes: Wakes): Promise<'recorded' | 'hop_limit'> {
  const { companyId, actor, runId } = tx;
  const { agentIds, ...cause } = wakes;
  if (agentIds.length === 0) return 'recorded';
  const hops = await wakeHops(tx);
  if (hops > tx.context.config.mentionHopCap) {
    await recordActivities(tx, [
      {
        companyId,
        actor,
        runId,
        action: 'wakeup.suppressed',
        entityType: cause.issueId ? 'issue' : 'company',
        entityId: cause.issueId ?? companyId,
        details: { ...wakes, reason: 'hop_limit', hops },
      },
    ]);
    afterCommit(tx, () => {
      for (const _ of agentIds) tx.context.metrics.countWake(cause.source, 'suppressed');
    });
    return 'hop_limit';
  }
  const hintedAt = new Date();
  const { payload, ...plain } = cause;
  const rows = agentIds.map((agentId) => ({
    ...plain,
    ...(payload && { payload: payload as Prisma.InputJsonObject }),
    id: newId(),
    companyId,
    agentId,
    hops,
    hintedAt,
    ...presentOrigin(),
  }));
  await tx.prisma.agentWakeup.createMany({ data: rows });
  afterCommit(tx, async () => {
    const hinted = rows.map(({ id }) => tx.context.hints.hint('mention-wakeups', { wakeupId: id }));
    await Promise.all(hinted);
  });
  return 'recorded';
}
