import { isOpenSql } from '../statuses/issue-status';
import { isLiveSql } from '../statuses/run-status';

/** SQL: the status of a firing that joins an active run; null if `routine` makes another issue. */
export const joinsAsSql = (routine: string) => `(CASE ${routine}.concurrency_policy
  WHEN 'coalesce_if_active' THEN 'coalesced' WHEN 'skip_if_active' THEN 'skipped' END)`;

/**
 * SQL: routine `r`'s latest run with an open issue, as `active (id, issue_id, joins_as, is_live)`.
 * The run is live if its issue is assigned to a person, or has a live heartbeat run or a wake that
 * awaits admission.
 */
export const ACTIVE_RUN = `(
  SELECT run.id, issue.id AS issue_id, ${joinsAsSql('r')} AS joins_as,
    issue.assignee_user_id IS NOT NULL
    OR EXISTS (SELECT FROM heartbeat_run h WHERE h.company_id = run.company_id
      AND h.issue_id = issue.id AND ${isLiveSql('h')})
    OR EXISTS (SELECT FROM agent_wakeup w LEFT JOIN heartbeat_run h ON h.id = w.run_id
      WHERE w.company_id = run.company_id AND w.routine_run_id = run.id
        AND (w.status = 'pending' OR ${isLiveSql('h')})) AS is_live
  FROM routine_run run JOIN issue ON issue.id = run.linked_issue_id
  WHERE run.routine_id = r.id AND run.status = 'issue_created'
    AND ${isOpenSql('issue')}
  ORDER BY run.created_at DESC, run.id DESC LIMIT 1) active`;

export const notFiringSql = (routine: string, company: string) => `CASE
  WHEN ${routine}.status <> 'active' THEN 'routine_' || ${routine}.status
  WHEN ${company}.status <> 'active' THEN 'company_' || ${company}.status END`;

export const mayFireSql = (routine: string, company: string) =>
  `(${notFiringSql(routine, company)} IS NULL)`;
