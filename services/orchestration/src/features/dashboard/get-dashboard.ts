import { notFound } from '@switchyard/server';
import { DASHBOARD_DAYS, type DashboardView, STALE_AFTER_HOURS } from '@switchyard/types';
import type { Call } from '../../call';
import { THIS_MONTH } from '../../state/budgets/month';
import { type DashboardRow, presentDashboard } from './present-dashboard';

const TODAY = "date_trunc('day', now() AT TIME ZONE 'UTC')";
const SINCE = `(${TODAY} - interval '${DASHBOARD_DAYS - 1} days') AT TIME ZONE 'UTC'`;

const counted = (groups: string) =>
  `(SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (${groups}) counted)`;

/** One statement, so that all figures are of one moment. */
const READ = `
  SELECT c.id AS "companyId", now() AS "generatedAt",
    to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today,
    c.budget_monthly_cents::float8 AS "budgetCents", c.storage_bytes::float8 AS "storedBytes",
    (SELECT coalesce(sum(cost_cents), 0)::float8 FROM agent_month
      WHERE company_id = $1::uuid AND month = ${THIS_MONTH}) AS "spendCents",
    ${counted(`SELECT status, count(*) AS n FROM agent WHERE company_id = $1::uuid GROUP BY status`)}
      AS agents,
    ${counted(`SELECT status, count(*) AS n FROM issue WHERE company_id = $1::uuid GROUP BY status`)}
      AS issues,
    (SELECT count(*)::int FROM approval WHERE company_id = $1::uuid AND status = 'pending')
      AS "pendingApprovals",
    (SELECT count(*)::int FROM issue WHERE company_id = $1::uuid AND status = 'in_progress'
      AND updated_at < now() - interval '${STALE_AFTER_HOURS} hours') AS "staleIssues",
    ${counted(`SELECT status, count(*) AS n FROM heartbeat_run
      WHERE company_id = $1::uuid AND status IN ('queued', 'running') GROUP BY status`)}
      AS "openRuns",
    (SELECT coalesce(jsonb_agg(day), '[]') FROM (
      SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, status, count(*) AS n
      FROM heartbeat_run WHERE company_id = $1::uuid AND created_at >= ${SINCE}
      GROUP BY 1, 2) day) AS "recentRuns"
  FROM company c WHERE c.id = $1::uuid`;

/** `GET …/dashboard` (contract, "Behaviour" 12): days and months are UTC by the database clock. */
export async function getDashboard(call: Call): Promise<DashboardView> {
  const rows = await call.db.rows<DashboardRow>('dashboard', READ, [call.companyId]);
  if (!rows[0]) throw notFound('company');
  return presentDashboard(rows[0], call.context.config.companyStorageBytes);
}
