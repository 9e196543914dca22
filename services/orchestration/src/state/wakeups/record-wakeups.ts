import { ask, newId, statement } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource } from '@switchyard/types';
import type { Tx } from '../../call';
import { recordActivities } from '../activity';
import { wakeHops } from './wake-hops';
import { WAKE_CAUSE } from './wakeups';

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
 * Records wakes in the caller's transaction, so that they exist exactly when their cause does; a worker processes them
 * after the commit. Takes no lock on the agents: the caller may hold the lock of an issue, and agents are locked before
 * issues. A chain of agents waking agents ends at the hop cap: then only that is recorded.
 */
export async function recordWakeups(tx: Tx, wakes: Wakes): Promise<'recorded' | 'hop_limit'> {
  const { agentIds, ...cause } = wakes;
  if (agentIds.length === 0) return 'recorded';
  const hops = await wakeHops(tx);
  if (hops > tx.context.config.mentionHopCap) {
    await recordSuppressed(tx, wakes, hops);
    return 'hop_limit';
  }
  const ids = agentIds.map(newId);
  await ask(tx, insertWakeups, {
    ...NO_CAUSE,
    ...cause,
    ids,
    agentIds,
    companyId: tx.companyId,
    hops,
    ...presentOrigin(),
  });
  for (const wakeupId of ids) tx.hint('mention-wakeups', { wakeupId });
  return 'recorded';
}

async function recordSuppressed(tx: Tx, wakes: Wakes, hops: number): Promise<void> {
  const { agentIds, source, issueId } = wakes;
  await recordActivities(tx, [
    {
      companyId: tx.companyId,
      actor: tx.actor,
      runId: tx.runId,
      action: 'wakeup.suppressed',
      entityType: issueId ? 'issue' : 'company',
      entityId: issueId ?? tx.companyId,
      details: { ...wakes, reason: 'hop_limit', hops },
    },
  ]);
  tx.afterCommit(() => {
    for (const _ of agentIds) tx.context.metrics.countWake(source, 'suppressed');
  });
}

const NO_CAUSE = { commentId: null, routineRunId: null, reason: null, payload: null };

export const insertWakeups = statement('insert-wakeups', {
  takes: { ids: 'uuid[]', agentIds: 'uuid[]', ...WAKE_CAUSE },
  gives: {},
  sql: (p) => `
    INSERT INTO agent_wakeup (id, company_id, agent_id, source, reason, issue_id, comment_id,
      routine_run_id, payload, hops, hinted_at, correlation_id, trace_context)
    SELECT woken.id, ${p.companyId}, woken.agent_id, ${p.source}, ${p.reason}, ${p.issueId},
      ${p.commentId}, ${p.routineRunId}, ${p.payload}, ${p.hops}, now(), ${p.correlationId},
      ${p.traceContext}
    FROM unnest(${p.ids}, ${p.agentIds}) AS woken(id, agent_id)`,
});
