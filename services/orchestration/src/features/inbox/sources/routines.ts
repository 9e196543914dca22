import { mayFireSql } from '../../../state/routines/active-run';
import type { InboxRow } from '../inbox-row';
import {
  itemsOf,
  type OfferedAction,
  patch,
  post,
  required,
  type Source,
  type SourceParameters,
} from '../source';

export const routines: Source = {
  kinds: ['routine_stopped', 'routine_failed'],
  items: (p) => [
    itemsOf(
      'routine_stopped',
      {
        ...ROUTINE,
        since: 'coalesce(unread.updated_at, r.updated_at)',
        facts: `jsonb_build_object('isAgentGone', a.status = 'terminated', 'agent', a.name,
          'triggerId', unread.id, 'error', left(unread.failure_reason, 300))`,
      },
      `${from(p.companyId)}
      LEFT JOIN (${firstFailingTriggers(p, "t.kind = 'schedule' AND t.next_run_at IS NULL")}) unread
        ON r.status = 'active' AND unread.routine_id = r.id
      WHERE r.company_id = ${p.companyId} AND r.status <> 'archived'
        AND (a.status = 'terminated' OR unread.id IS NOT NULL)`,
    ),
    itemsOf(
      'routine_failed',
      {
        ...ROUTINE,
        since: 'coalesce(failing.last_fired_at, failing.updated_at, last.triggered_at)',
        happenedAt: 'greatest(failing.last_fired_at, last.triggered_at)',
        facts: `jsonb_build_object('triggerId', coalesce(failing.id, last.trigger_id),
          'error', left(coalesce(failing.failure_reason, last.failure_reason), 300))`,
      },
      `${from(p.companyId)}
      LEFT JOIN (${firstFailingTriggers(p, 'true')}) failing ON failing.routine_id = r.id
      LEFT JOIN LATERAL (
        SELECT run.status, run.triggered_at, run.failure_reason, t.id AS trigger_id FROM routine_run run
        LEFT JOIN routine_trigger t ON t.id = run.trigger_id AND t.enabled
        WHERE run.company_id = r.company_id AND run.routine_id = r.id
        ORDER BY run.created_at DESC, run.id DESC LIMIT 1
      ) last ON true
      WHERE ${mayFireSql('r', 'firm')} AND r.company_id = ${p.companyId}
        AND a.status <> 'terminated'
        AND (failing.id IS NOT NULL AND (failing.kind <> 'schedule' OR failing.next_run_at IS NOT NULL)
          OR failing.id IS NULL AND last.status = 'failed')`,
    ),
  ],
  present: (row) => ({
    title: `Repair the routine ${row.routineTitle}`,
    reason: reasonOf(row),
    actions: actionsOf(row),
  }),
};

const ROUTINE = { id: 'r.id', agentId: 'r.assignee_agent_id', agents: '1' };

const from = (companyId: string) => `FROM firm JOIN routine r ON r.company_id = firm.id
      JOIN agent a ON a.id = r.assignee_agent_id AND a.company_id = ${companyId}`;

const firstFailingTriggers = (p: SourceParameters, which: string) => `
        SELECT DISTINCT ON (t.routine_id) t.* FROM routine_trigger t
        WHERE t.company_id = ${p.companyId} AND t.enabled AND t.failure_reason IS NOT NULL AND ${which}
        ORDER BY t.routine_id, t.created_at, t.id`;

function reasonOf({ kind, facts }: InboxRow): string {
  if (facts.isAgentGone) return `${facts.agent} is terminated, so the routine no longer fires`;
  if (kind === 'routine_stopped') return `The schedule is not valid: ${facts.error}`;
  return `The last firing failed: ${facts.error ?? 'no reason given'}`;
}

function actionsOf({ kind, id, facts }: InboxRow): OfferedAction[] {
  const path = `/api/routines/${id}`;
  const archive = patch('archive', 'Archive', path, { body: { status: 'archived' } });
  if (facts.isAgentGone) {
    const fields = [required('assigneeAgentId', 'agent')];
    const body = { status: 'active' };
    return [patch('reassign', 'Assign to another agent', path, { body, fields }), archive];
  }
  const trigger = `/api/routine-triggers/${facts.triggerId}`;
  const disable = patch('disable', 'Disable trigger', trigger, { body: { enabled: false } });
  if (kind === 'routine_stopped') {
    const fields = [required('cronExpression', 'text')];
    return [patch('reschedule', 'Fix schedule', trigger, { fields }), disable];
  }
  const body = facts.triggerId ? { triggerId: facts.triggerId } : {};
  return [post('run', 'Run now', `${path}/run`, { body }), archive];
}
