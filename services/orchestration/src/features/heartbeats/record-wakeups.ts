import { afterCommit, newId, type Prisma, type Tx } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
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
export async function recordWakeups(
  effects: Pick<Effects, 'config' | 'hints' | 'metrics'>,
  tx: Tx,
  scope: Scope,
  wakes: Wakes,
): Promise<'recorded' | 'hop_limit'> {
  const { companyId, actor, runId } = scope;
  const { agentIds, ...cause } = wakes;
  if (agentIds.length === 0) return 'recorded';
  const hops = await wakeHops(tx, scope);
  if (hops > effects.config.mentionHopCap) {
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'wakeup.suppressed',
      entityType: cause.issueId ? 'issue' : 'company',
      entityId: cause.issueId ?? companyId,
      details: { ...wakes, reason: 'hop_limit', hops },
    });
    afterCommit(tx, () => {
      for (const _ of agentIds) effects.metrics.countWake(cause.source, 'suppressed');
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
  await tx.agentWakeup.createMany({ data: rows });
  afterCommit(tx, async () => {
    const hinted = rows.map(({ id }) => effects.hints.hint('mention-wakeups', { wakeupId: id }));
    await Promise.all(hinted);
  });
  return 'recorded';
}
