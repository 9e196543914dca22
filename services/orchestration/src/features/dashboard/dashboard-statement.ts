import { type RowOf, statement } from '@switchyard/db';
import { DASHBOARD_DAYS, STALE_AFTER_HOURS } from '@switchyard/types';
import { THIS_MONTH } from '../../state/budgets/month';
import { isDeletedSql } from '../../state/companies/deleted';
import { storedTextSql } from '../../state/companies/text-quota';
import { isLiveSql } from '../../state/statuses/run-status';

const TODAY = "date_trunc('day', now() AT TIME ZONE 'UTC')";
const FIRST_DAY = `(${TODAY} - interval '${DASHBOARD_DAYS - 1} days')`;

const counted = (groups: string) =>
  `(SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (${groups}) counted)`;

export const readDashboard = statement('dashboard', {
  takes: { companyId: 'uuid' },
  gives: {
    companyId: 'uuid',
    generatedAt: 'time',
    today: 'text',
    budgetCents: 'bigint',
    storedBytes: 'bigint',
    textBytes: 'bigint',
    spendCents: 'bigint',
    agents: 'json',
    issues: 'json',
    pendingApprovals: 'int',
    staleIssues: 'int',
    openRuns: 'json',
    recentRuns: 'json',
  },
  sql: ({ companyId }) => `
    WITH tally AS (
      SELECT counted, day, status, sum(n) AS n FROM (
        SELECT counted, day, status, n FROM status_tally WHERE company_id = ${companyId}
        UNION ALL SELECT counted, day, status, n FROM status_change WHERE company_id = ${companyId}
      ) part GROUP BY counted, day, status
    ), open_run AS (
      SELECT status, created_at FROM heartbeat_run
      WHERE company_id = ${companyId} AND ${isLiveSql('heartbeat_run')}
    ), recent_run AS (
      SELECT day, status, n FROM tally WHERE counted = 'heartbeat_run' AND day >= ${FIRST_DAY}
      UNION ALL SELECT (created_at AT TIME ZONE 'UTC')::date AS day, status, count(*) FROM open_run
        WHERE created_at >= ${FIRST_DAY} AT TIME ZONE 'UTC' GROUP BY day, status
    )
    SELECT c.id AS "companyId", now() AS "generatedAt",
      to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today,
      c.budget_monthly_cents AS "budgetCents", c.storage_bytes AS "storedBytes", ${storedTextSql(companyId)} AS "textBytes",
      (SELECT coalesce(sum(cost_cents), 0)::int8 FROM agent_month
        WHERE company_id = ${companyId} AND month = ${THIS_MONTH}) AS "spendCents",
      ${counted(`SELECT status, count(*) AS n FROM agent WHERE company_id = ${companyId} GROUP BY status`)}
        AS agents,
      ${counted("SELECT status, n FROM tally WHERE counted = 'issue'")} AS issues,
      (SELECT count(*)::int FROM approval WHERE company_id = ${companyId} AND status = 'pending')
        AS "pendingApprovals",
      (SELECT count(*)::int FROM issue WHERE company_id = ${companyId} AND status = 'in_progress'
        AND checkout_user_id IS NULL AND updated_at < now() - interval '${STALE_AFTER_HOURS} hours') AS "staleIssues",
      ${counted('SELECT status, count(*) AS n FROM open_run GROUP BY status')} AS "openRuns",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('date', to_char(day, 'YYYY-MM-DD'), 'status', status, 'n', n)), '[]')
        FROM recent_run) AS "recentRuns"
    FROM company c WHERE c.id = ${companyId} AND NOT ${isDeletedSql('c.id')}`,
});

export type DashboardRow = RowOf<typeof readDashboard>;
