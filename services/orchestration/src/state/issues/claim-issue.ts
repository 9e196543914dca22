import { announce, ask, statement } from '@switchyard/db';
import type { IssueStatus } from '@switchyard/types';
import type { Call } from '../../call';
import { ACTIVITY, activityOf, insertActivity } from '../activity';
import { agentBudgetSpent } from '../budgets/spent';
import { ISSUE, type IssueRow, selectIssue } from './issue-columns';
import { CLAIMABLE } from './issue-status';

/**
 * Claims an issue that nothing holds for an agent that nothing stops, in one statement; of any number of callers one gets
 * the row. Null, and nothing written, in every other case, which `checkoutIssue` decides.
 */
export async function claimIssue(
  call: Call,
  issueId: string,
  { agentId, expectedStatuses }: { agentId: string; expectedStatuses: readonly IssueStatus[] },
): Promise<IssueRow | null> {
  const { db, companyId } = call;
  const statuses = expectedStatuses.filter((status) => CLAIMABLE.includes(status));
  const values = { issueId, companyId, agentId, statuses, ...activityOf(call) };
  const [claimed] = await ask(db, claim, values);
  if (!claimed) return null;
  announce(db, companyId);
  return claimed;
}

/**
 * Locks agent, run and issue in this order, and none where the issue is taken already. What these rows say is read by the
 * locking reads and by the update itself, which see the latest version whatever was committed while they waited. A run
 * that holds the issue is not looked at here: a free issue has none. Budgets are read as they were before any wait, and an
 * agent that was written meanwhile, as each is when its company gets another budget, claims nothing here. What a company's
 * budget allows is decided under its lock, elsewhere.
 */
const claim = statement('claim-issue', {
  takes: { issueId: 'uuid', companyId: 'uuid', agentId: 'uuid', statuses: 'text[]', ...ACTIVITY },
  gives: ISSUE,
  sql: (p) => {
    const isFree = `i.id = ${p.issueId} AND i.status = ANY (${p.statuses}) AND i.checkout_run_id IS NULL
        AND (i.assignee_agent_id IS NULL AND i.assignee_user_id IS NULL OR i.assignee_agent_id = ${p.agentId})`;
    return `
    WITH free AS (
      SELECT i.status FROM issue i WHERE ${isFree}
    ), claimant AS (
      SELECT a.id, a.company_id, a.budget_monthly_cents, a.xmin AS version FROM agent a
      WHERE a.id = ${p.agentId} AND a.company_id = ${p.companyId} AND a.status IN ('idle', 'running', 'error')
        AND EXISTS (SELECT FROM free)
      FOR NO KEY UPDATE
    ), run AS (
      SELECT r.id FROM heartbeat_run r
      WHERE r.id = ${p.actingRunId} AND r.status = 'running' AND r.agent_id = (SELECT id FROM claimant)
      FOR SHARE
    ), able AS (
      SELECT claimant.id, free.status FROM claimant JOIN agent seen USING (id), free
        JOIN company c ON c.id = ${p.companyId}
      WHERE (${p.actingRunId} IS NULL OR EXISTS (SELECT FROM run)) AND seen.xmin = claimant.version
        AND NOT ${agentBudgetSpent('claimant')} AND c.budget_monthly_cents = 0
    ), claimed AS (
      UPDATE issue i SET status = 'in_progress', assignee_agent_id = able.id,
        checkout_run_id = ${p.actingRunId}, checked_out_at = now(),
        started_at = coalesce(i.started_at, now()), updated_at = now()
      FROM able WHERE ${isFree} AND i.status = able.status
      RETURNING i.*, able.status AS was
    ), recorded AS (${insertActivity(p, {
      action: 'issue.checked_out',
      from: 'claimed',
      companyId: 'company_id',
      entityId: 'id',
      details: `jsonb_build_object('agentId', assignee_agent_id, 'from', was, 'adoptedRunId', NULL)`,
    })})
    SELECT ${selectIssue(ISSUE, 'claimed')} FROM claimed`;
  },
});
