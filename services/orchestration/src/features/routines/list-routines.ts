import { jsonObject } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import { type ListedRoutineView, MAX_NAMED, type TriggerSummary } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { agentName, issueReference } from '../../lists/row-facts';
import { describeSchedule } from './schedule/describe-schedule';

export function listRoutines(
  { db, companyId }: Call,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedRoutineView[]>> {
  return readRoutines(db, { ...query, companyId });
}

const OWN = 'own.company_id = listed.company_id AND own.routine_id = listed.id';

const TRIGGER = {
  id: 'uuid',
  kind: 'text',
  label: 'text?',
  enabled: 'bool',
  cronExpression: 'text?',
  timezone: 'text?',
  nextRunAt: 'time?',
  lastFiredAt: 'time?',
  failureReason: 'text?',
} as const;

const TRIGGERS = `(SELECT json_agg(oldest.shown) FROM (
  SELECT ${jsonObject(TRIGGER, 'own')} AS shown FROM routine_trigger own
  WHERE ${OWN} ORDER BY own.created_at, own.id LIMIT ${MAX_NAMED}) oldest)`;

const LAST_RUN = {
  id: 'uuid',
  status: 'text',
  source: 'text',
  triggeredAt: 'time',
  failureReason: 'text?',
} as const;

const readRoutines = newestFirstList(
  'list-routines',
  {
    table: 'routine',
    gives: {
      id: 'uuid',
      companyId: 'uuid',
      title: 'text',
      assigneeAgentId: 'uuid',
      projectId: 'uuid',
      goalId: 'uuid?',
      parentIssueId: 'uuid?',
      priority: 'text',
      status: 'text',
      concurrencyPolicy: 'text',
      catchUpPolicy: 'text',
      createdByAgentId: 'uuid?',
      createdByUserId: 'text?',
      createdAt: 'time',
      updatedAt: 'time',
    },
    derived: {
      assigneeName: ['text?', agentName('listed.assignee_agent_id')],
      triggerCount: ['int', `(SELECT count(*)::int FROM routine_trigger own WHERE ${OWN})`],
      triggers: ['json?', TRIGGERS],
      nextRunAt: ['time?', `(SELECT min(own.next_run_at) FROM routine_trigger own WHERE ${OWN})`],
      lastRun: [
        'json?',
        `(SELECT ${jsonObject(LAST_RUN, 'own', { issue: issueReference('own.linked_issue_id') })}
          FROM routine_run own WHERE ${OWN} ORDER BY own.created_at DESC, own.id DESC LIMIT 1)`,
      ],
      consecutiveFailures: [
        'int',
        `coalesce((SELECT max(own.failure_count) FROM routine_trigger own WHERE ${OWN}), 0)`,
      ],
    },
  },
  (row) =>
    ({ ...row, triggers: (row.triggers ?? []).map(presentTriggerSummary) }) as ListedRoutineView,
);

export const readRoutineRows = readRoutines.byIds;

function presentTriggerSummary(trigger: Omit<TriggerSummary, 'scheduleInWords'>): TriggerSummary {
  const { cronExpression, timezone } = trigger;
  const scheduleInWords =
    cronExpression === null ? null : describeSchedule(cronExpression, timezone ?? 'UTC');
  return { ...trigger, scheduleInWords };
}
