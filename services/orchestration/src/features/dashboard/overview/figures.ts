import { jsonObject, type RowOf, statement } from '@switchyard/db';
import { DASHBOARD_DAYS, EXCERPT_CHARACTERS, type OverviewView } from '@switchyard/types';
import { agentName, issueReference } from '../../../lists/row-facts';
import { budgetUse } from '../../../state/budgets/budget-use';
import { forecast, RECENTLY, recentDays } from '../../../state/budgets/forecast';
import { companySpend } from '../../../state/budgets/spent';
import { isFailureSql, isLiveSql } from '../../../state/statuses/run-status';
import { COUNTS_RUNS } from '../fold-status-changes';
import { type DayCount, runsByDay } from '../present-dashboard';

const NEXT = 5;
const REASONS = 30;

export function presentFigures(
  row: RowOf<typeof readFigures>,
): Omit<OverviewView, 'running' | 'waiting'> {
  const { companyId, generatedAt, today, spendCents, budgetCents, recentCents } = row;
  const spending = {
    now: generatedAt,
    spendCents,
    budgetCents,
    recentCents,
    recentDays: row.recentDays,
  };
  return {
    companyId,
    generatedAt,
    next: row.next,
    spend: {
      today: { date: today, spendCents: row.todayCents },
      month: today.slice(0, 7),
      spendCents,
      budgetCents,
      unlimited: budgetCents === 0,
      ...budgetUse(spendCents, budgetCents),
      ...forecast(spending),
    },
    days: runsByDay(today, row.days as DayCount[]),
    failures: row.failures,
  };
}

const TODAY = "date_trunc('day', now() AT TIME ZONE 'UTC')";
const FIRST_DAY = `(${TODAY} - interval '${DASHBOARD_DAYS - 1} days')`;

const jsonRows = (rows: string, shown: string, order: string) =>
  `(SELECT coalesce(json_agg(${shown} ORDER BY ${order}), '[]') FROM (${rows}) row)`;

const NEXT_ROUTINE = jsonObject(
  {
    routineId: 'uuid',
    triggerId: 'uuid',
    title: 'text',
    agentId: 'uuid',
    agentName: 'text',
    nextRunAt: 'time',
    timezone: 'text',
  },
  'row',
);

const lastFailed = (companyId: string) => `(
  SELECT ${jsonObject(
    {
      runId: 'uuid',
      status: 'text',
      agentId: 'uuid',
      createdAt: 'time',
      finishedAt: 'time?',
      error: 'text?',
    },
    'last',
    { agentName: agentName('last.agent_id'), issue: issueReference('last.issue_id') },
  )} FROM (
    SELECT r.id AS run_id, r.status, r.agent_id, r.issue_id, r.created_at, r.finished_at,
      left(r.error, ${EXCERPT_CHARACTERS}) AS error
    FROM heartbeat_run r
    WHERE r.company_id = ${companyId} AND ${isFailureSql('r')}
      AND coalesce(r.error_code, 'unknown') = row.error_code
    ORDER BY r.created_at DESC, r.id DESC LIMIT 1) last)`;

/**
 * Uses one statement, so that all figures are from the same moment. Adds changes that are not yet
 * in the tallies.
 */
export const readFigures = statement('read-overview-figures', {
  takes: { companyId: 'uuid' },
  gives: {
    companyId: 'uuid',
    generatedAt: 'time',
    today: 'text',
    budgetCents: 'bigint',
    spendCents: 'bigint',
    todayCents: 'bigint',
    recentCents: 'bigint',
    recentDays: 'float',
    next: 'json',
    days: 'json',
    failures: 'json',
  },
  sql: ({ companyId }) => `
    WITH tally AS (
      SELECT counted, day, status, sum(n)::int AS n FROM (
        SELECT counted, day, status, n FROM status_tally
        WHERE company_id = ${companyId} AND ${COUNTS_RUNS}
        UNION ALL SELECT counted, day, status, n FROM status_change
        WHERE company_id = ${companyId} AND ${COUNTS_RUNS}
      ) part WHERE day >= ${FIRST_DAY} GROUP BY counted, day, status
    ), day_count AS (
      SELECT day, status, n FROM tally WHERE counted = 'heartbeat_run'
      UNION ALL SELECT (created_at AT TIME ZONE 'UTC')::date, status, count(*)::int FROM heartbeat_run
      WHERE company_id = ${companyId} AND ${isLiveSql('heartbeat_run')}
        AND created_at >= ${FIRST_DAY} AT TIME ZONE 'UTC' GROUP BY 1, 2
    ), recent_cost AS (
      SELECT coalesce(sum(cost_cents), 0)::bigint AS cents,
        coalesce(sum(cost_cents) FILTER (WHERE day = ${TODAY}::date), 0)::bigint AS today_cents
      FROM cost_day WHERE company_id = ${companyId} AND ${RECENTLY}
    )
    SELECT c.id AS "companyId", now() AS "generatedAt",
      to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today,
      c.budget_monthly_cents AS "budgetCents", ${companySpend('c.id')} AS "spendCents",
      recent_cost.today_cents AS "todayCents", recent_cost.cents AS "recentCents", ${recentDays('c')} AS "recentDays",
      ${jsonRows(
        `SELECT r.id AS routine_id, t.id AS trigger_id, r.title, a.id AS agent_id, a.name AS agent_name,
          t.next_run_at, t.timezone
        FROM routine_trigger t JOIN routine r ON r.id = t.routine_id JOIN agent a ON a.id = r.assignee_agent_id
        WHERE t.company_id = ${companyId} AND t.kind = 'schedule' AND t.enabled AND t.next_run_at IS NOT NULL
          AND r.status = 'active'
        ORDER BY t.next_run_at, t.id LIMIT ${NEXT}`,
        NEXT_ROUTINE,
        'row.next_run_at, row.trigger_id',
      )} AS next,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('date', to_char(day, 'YYYY-MM-DD'), 'status', status, 'n', n)), '[]')
        FROM day_count) AS days,
      ${jsonRows(
        `SELECT status AS error_code, sum(n)::int AS n FROM tally WHERE counted = 'run_failure'
        GROUP BY status HAVING sum(n) > 0 ORDER BY n DESC, error_code LIMIT ${REASONS}`,
        `json_build_object('errorCode', row.error_code, 'count', row.n, 'last', ${lastFailed(companyId)})`,
        'row.n DESC, row.error_code',
      )} AS failures
    FROM company c CROSS JOIN recent_cost WHERE c.id = ${companyId}`,
});
