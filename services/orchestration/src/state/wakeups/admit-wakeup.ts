import { ask, bind, statement, trip } from '@switchyard/db';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import { SYSTEM } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { lockAgentRow } from '../agents/lock-agent';
import { readRefusal } from '../agents/may-start';
import {
  ADMISSION,
  ADMITTED,
  admissionSql,
  admissionValues,
  selectAdmitted,
  type Wake,
} from '../runs/admission';
import { followAdmission } from '../runs/enqueue-run';

type RecordedWake = Wake & { id: string };

/**
 * Admits a recorded wake. Skips it if the agent may not start runs; leaves it pending if the
 * waiting run is full. Does nothing if the wake was already admitted or skipped.
 */
export async function admitWakeup(
  call: Call,
  { id: wakeupId, ...wake }: RecordedWake,
): Promise<void> {
  const lock = bind(lockAgentRow, { agentId: wake.agentId });
  const [admitted] = await trip(call.db, [lock], admit, { ...admissionValues(wake), wakeupId });
  if (admitted) return followAdmission(call, wake, admitted);
  await skipRefused(call, { ...wake, id: wakeupId });
}

/**
 * Skips a pending wake if the agent may not start runs. Records an activity, because the request
 * that caused the wake, e.g. a comment, has already succeeded.
 */
export async function skipRefused(
  call: Call,
  { id: wakeupId, agentId, source, issueId, routineRunId = null }: RecordedWake,
): Promise<void> {
  const reason = await readRefusal(call.db, { agentId, issueId, routineRunId });
  if (reason === null) return;
  const by = activityOf({ actor: SYSTEM, runId: null });
  const skipped = await ask(call.db, skip, { wakeupId, reason, ...by });
  if (skipped.length > 0) call.context.metrics.countWake(source, 'skipped');
}

export const ADMITTED_WAKEUP = {
  wakeupId: 'uuid',
  wakeReason: 'text?',
  wakePayload: 'json?',
} as const;

/**
 * SQL: records the wake that the same statement admitted, or a pending wake if it admitted nothing.
 */
export const insertAdmittedSql = (
  p: Readonly<Record<keyof typeof ADMISSION | keyof typeof ADMITTED_WAKEUP, string>>,
): string => `
  INSERT INTO agent_wakeup (id, company_id, agent_id, source, reason, issue_id, routine_run_id, payload,
    hops, hinted_at, correlation_id, trace_context, status, run_id)
  SELECT ${p.wakeupId}, asked.company_id, asked.id, ${p.source}, ${p.wakeReason}, ${p.issueId},
    ${p.routineRunId}, ${p.wakePayload}, ${p.hops}, now(), ${p.correlationId}, ${p.traceContext},
    CASE WHEN admitted.id IS NULL THEN 'pending' ELSE 'admitted' END, admitted.id
  FROM asked LEFT JOIN admitted ON true`;

const admit = statement('admit-wakeup', {
  takes: { ...ADMISSION, wakeupId: 'uuid' },
  gives: { id: 'uuid', ...ADMITTED },
  onePlan: true,
  sql: (p) => `
    WITH ${admissionSql(p, {
      whenFull: 'waits',
      when: `EXISTS (SELECT FROM agent_wakeup w WHERE w.id = ${p.wakeupId} AND w.status = 'pending')`,
    })}, processed AS (
      UPDATE agent_wakeup w SET status = 'admitted', run_id = admitted.id FROM admitted
      WHERE w.id = ${p.wakeupId}
    )
    SELECT admitted.id, ${selectAdmitted} FROM admitted, asked`,
});

const skip = statement('skip-wakeup', {
  takes: { wakeupId: 'uuid', reason: 'text', ...ACTIVITY },
  gives: { id: 'uuid' },
  sql: (p) => `
    WITH skipped AS (
      UPDATE agent_wakeup SET status = 'skipped', skip_reason = ${p.reason}
      WHERE id = ${p.wakeupId} AND status = 'pending' RETURNING *
    ), recorded AS (${insertActivity(p, {
      action: { sql: "'wakeup.skipped'", entityType: 'agent' },
      from: 'skipped',
      companyId: 'company_id',
      entityId: 'agent_id',
      details: `jsonb_build_object('reason', skip_reason, 'source', source, 'issueId', issue_id,
        'commentId', comment_id)`,
    })})
    SELECT id FROM skipped`,
});
