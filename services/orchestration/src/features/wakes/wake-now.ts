import { ask, newId, statement } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource } from '@switchyard/types';
import { SYSTEM } from '../../access/actor';
import type { Tx } from '../../call';
import { recordActivities } from '../../state/activity';
import { enqueueRun } from '../../state/runs/enqueue-run';
import { recordWakeups } from '../../state/wakeups/record-wakeups';
import { wakeHops } from '../../state/wakeups/wake-hops';

interface DecidedWake {
  agentId: string;
  source: RunSource;
  reason: string;
  issueId: string;
  routineRunId: string;
  payload: Record<string, unknown>;
}

/**
 * Wakes an agent in the caller's own transaction, which holds no lock that comes after the agent's, and records the wake
 * as `recordWakeups` does. Returns the run that serves it; null when the agent may not be woken.
 */
export async function wakeNow(tx: Tx, wake: DecidedWake): Promise<string | null> {
  const hops = await wakeHops(tx);
  if (hops > tx.context.config.mentionHopCap) {
    const { agentId, ...cause } = wake;
    await recordWakeups(tx, { agentIds: [agentId], ...cause });
    return null;
  }
  const admission = await enqueueRun(tx, { ...wake, hops });
  const runId = admission.outcome === 'skipped' ? null : admission.run.id;
  const skipReason = admission.outcome === 'skipped' ? admission.reason : null;
  const { companyId } = tx;
  const decided = { id: newId(), companyId, hops, runId, skipReason, ...presentOrigin() };
  await ask(tx, insertDecided, { ...wake, ...decided });
  if (skipReason !== null) await recordSkipped(tx, wake, skipReason);
  return runId;
}

async function recordSkipped(tx: Tx, wake: DecidedWake, reason: string): Promise<void> {
  const { source, issueId, agentId: entityId } = wake;
  await recordActivities(tx, [
    {
      companyId: tx.companyId,
      actor: SYSTEM,
      action: 'wakeup.skipped',
      entityType: 'agent',
      entityId,
      details: { reason, source, issueId, commentId: null },
    },
  ]);
}

const insertDecided = statement('insert-decided-wakeup', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    source: 'text',
    reason: 'text',
    issueId: 'uuid',
    routineRunId: 'uuid',
    payload: 'json',
    hops: 'int',
    runId: 'uuid?',
    skipReason: 'text?',
    correlationId: 'text?',
    traceContext: 'text?',
  },
  gives: {},
  sql: (p) => `
    INSERT INTO agent_wakeup (id, company_id, agent_id, source, reason, issue_id, routine_run_id, payload,
      hops, status, run_id, skip_reason, correlation_id, trace_context)
    VALUES (${p.id}, ${p.companyId}, ${p.agentId}, ${p.source}, ${p.reason}, ${p.issueId},
      ${p.routineRunId}, ${p.payload}, ${p.hops},
      CASE WHEN ${p.runId} IS NULL THEN 'skipped' ELSE 'admitted' END,
      ${p.runId}, ${p.skipReason}, ${p.correlationId}, ${p.traceContext})`,
});
