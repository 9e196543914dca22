import { newId } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource, WakeReason } from '@switchyard/types';
import { refusalOfWakeSql } from '../agents/may-start';
import { wakeRankSql } from './claims/rank-waiting-runs';

export interface Wake {
  agentId: string;
  source: RunSource;
  reason: string | null;
  issueId: string | null;
  commentId?: string | null;
  routineRunId?: string | null;
  payload?: Record<string, unknown> | null;
  hops?: number;
  at?: string;
  /**
   * Set for retries: the failed run, its number of retries, and the delay in ms. With a null delay
   * the retry starts immediately; without a failed run, the wakes move from another waiting run.
   */
  retry?: {
    ofRunId: string | null;
    retries: number;
    delayMs: number | null;
    reasons: WakeReason[];
  };
}

export const ADMISSION = {
  runId: 'uuid',
  agentId: 'uuid',
  source: 'text',
  reasons: 'text',
  issueId: 'uuid?',
  routineRunId: 'uuid?',
  hops: 'int',
  retries: 'int',
  retryOfRunId: 'uuid?',
  delayMs: 'int?',
  isByPerson: 'bool',
  correlationId: 'text?',
  traceContext: 'text?',
} as const;

export function admissionValues(wake: Wake) {
  const { agentId, source, issueId, routineRunId = null, hops = 0, retry } = wake;
  return {
    runId: newId(),
    agentId,
    source,
    reasons: JSON.stringify(reasonsOf(wake)),
    issueId,
    routineRunId,
    hops,
    retries: retry?.retries ?? 0,
    retryOfRunId: retry?.ofRunId ?? null,
    delayMs: retry?.delayMs ?? null,
    isByPerson: source === 'manual' || retry?.delayMs === null,
    ...presentOrigin(),
  };
}

function reasonsOf(wake: Wake): WakeReason[] {
  if (wake.retry) return wake.retry.reasons;
  const { source, reason, issueId, commentId = null, payload = null } = wake;
  const { at = new Date().toISOString() } = wake;
  return [{ source, reason, issueId, commentId, payload, at }];
}

export const MAX_REASONS = 500;

/**
 * SQL: the only way to create a run, as CTEs of a statement that runs after the agent is locked.
 * - At most one run per agent waits, and a new wake joins it; a started run never serves a later
 * wake.
 * - `admitted` is the run; it is empty if the agent may not start.
 * - `asked` is the agent, restricted by `when`, with the waiting run's id.
 * - If the waiting run already stores `MAX_REASONS` reasons, `joins` adds the wake without its
 * reason and `waits` does not admit it.
 * - A manual wake, or a retry without delay, ends the wait.
 * - The run keeps the higher `hops`; a wake that no agent caused resets them to 0.
 * - The run has the priority of its most urgent wake.
 */
export const admissionSql = (
  p: Readonly<Record<keyof typeof ADMISSION, string>>,
  { whenFull, when = 'true' }: { whenFull: 'joins' | 'waits'; when?: string },
): string => `
  asked AS (
    SELECT a.id, a.company_id, a.adapter_type, a.status, ${refusalOfWakeSql('a', 'c', p)} AS refusal,
      (SELECT q.id FROM heartbeat_run q WHERE q.agent_id = a.id AND q.status = 'queued') AS waiting_id
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${p.agentId} AND ${when}
  ), made AS (
    INSERT INTO heartbeat_run (id, company_id, agent_id, source, wake_reasons, issue_id, routine_run_id,
      hops, retries, retry_of_run_id, not_before, hinted_at, correlation_id, trace_context, priority_rank)
    SELECT ${p.runId}, company_id, id, ${p.source}, join_wakes('[]', ${p.reasons}::json), ${p.issueId}, ${p.routineRunId},
      ${p.hops}, ${p.retries}, ${p.retryOfRunId}, now() + ${p.delayMs} * interval '1 millisecond', now(),
      ${p.correlationId}, ${p.traceContext}, ${wakeRankSql(p.issueId)}
    FROM asked WHERE refusal IS NULL AND waiting_id IS NULL
    RETURNING *
  ), joined AS (
    UPDATE heartbeat_run r SET
      wake_reasons = CASE WHEN ${isFullSql('r')} AND ${p.retryOfRunId} IS NULL THEN r.wake_reasons
        ELSE join_wakes(r.wake_reasons, ${p.reasons}::json) END,
      hops = CASE ${p.hops} WHEN 0 THEN 0 ELSE greatest(r.hops, ${p.hops}) END,
      issue_id = coalesce(r.issue_id, ${p.issueId}),
      routine_run_id = coalesce(r.routine_run_id, ${p.routineRunId}),
      not_before = CASE WHEN NOT ${p.isByPerson} THEN r.not_before END,
      priority_rank = least(r.priority_rank, ${wakeRankSql(p.issueId)})
    FROM asked WHERE r.id = asked.waiting_id AND asked.refusal IS NULL${whenFull === 'waits' ? ` AND NOT ${isFullSql('r')}` : ''}
    RETURNING r.*
  ), admitted AS (SELECT * FROM made UNION ALL SELECT * FROM joined)`;

export const isFullSql = (r: string): string =>
  `jsonb_array_length(${r}.wake_reasons) >= ${MAX_REASONS}`;

export const ADMITTED = {
  adapterType: 'text',
  joins: 'bool',
  outlivesPause: 'bool',
} as const;

export const selectAdmitted = `asked.adapter_type AS "adapterType", asked.waiting_id IS NOT NULL AS joins,
  asked.status = 'paused' AS "outlivesPause"`;
