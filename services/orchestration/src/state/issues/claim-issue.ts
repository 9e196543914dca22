import { announce, ask, statement } from '@switchyard/db';
import type { IssueStatus } from '@switchyard/types';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import type { Call } from '../../kernel/call';
import { capsSql, spentCapSql } from '../budgets/spend-caps';
import { agentBudgetSpent, companyBudgetSpent } from '../budgets/spent';
import { isEmployedSql } from '../statuses/agent-status';
import { isClaimable } from '../statuses/issue-status';
import { memberOf } from './assigned-person';
import { ISSUE, type IssueRow, selectIssue } from './issue-columns';

export type Claimant =
  | { agentId: string; userId?: undefined }
  | { agentId?: undefined; userId: string };

/**
 * Claims an issue in one statement; only one of several callers gets it. Replaces the lock of an
 * ended run. A spent budget stops agents, not people. Returns null, and writes nothing, if the
 * claimant may not have the issue or the issue changed during a lock wait.
 */
export async function claimIssue(
  call: Call,
  issueId: string,
  { agentId, userId }: Claimant,
  expectedStatuses: readonly IssueStatus[],
): Promise<IssueRow | null> {
  const { db, companyId } = call;
  const statuses = expectedStatuses.filter(isClaimable);
  const values = { issueId, companyId, statuses, ...activityOf(call) };
  const [claimed] =
    agentId === undefined
      ? await ask(db, claimForPerson, { ...values, userId, memberId: memberOf(userId) })
      : await ask(db, claimForAgent, { ...values, agentId });
  if (!claimed) return null;
  announce(db, companyId);
  return claimed;
}

const CLAIM = { issueId: 'uuid', companyId: 'uuid', statuses: 'text[]', ...ACTIVITY } as const;

/**
 * SQL: claims issue `i` if `mayHave` holds and `able`, one of `ctes`, has a row. Locks agent, run
 * and issue in this order, or nothing if the issue is taken.
 */
function claimSql(
  p: Readonly<Record<keyof typeof CLAIM, string>>,
  claim: Record<'ctes' | 'mayHave' | 'agentId' | 'userId' | 'runId' | 'claimant', string>,
): string {
  const isFree = `i.id = ${p.issueId} AND i.status = ANY (${p.statuses}) AND ${claim.mayHave}`;
  return `
    WITH free AS (
      SELECT i.status, i.checkout_run_id AS holder FROM issue i WHERE ${isFree}
        AND NOT EXISTS (SELECT FROM heartbeat_run h WHERE h.id = i.checkout_run_id AND h.status = 'running')
    ), ${claim.ctes}, claimed AS (
      UPDATE issue i SET status = 'in_progress', assignee_agent_id = ${claim.agentId}, assignee_user_id = ${claim.userId},
        checkout_run_id = ${claim.runId}, checkout_user_id = ${claim.userId}, checked_out_at = now(),
        started_at = coalesce(i.started_at, now()), updated_at = now()
      FROM free, able
      WHERE ${isFree} AND i.status = free.status AND i.checkout_run_id IS NOT DISTINCT FROM free.holder
      RETURNING i.*, free.status AS was, free.holder AS adopted
    ), recorded AS (${insertActivity(p, {
      action: 'issue.checked_out',
      from: 'claimed',
      companyId: 'company_id',
      entityId: 'id',
      details: `jsonb_build_object(${claim.claimant}, 'from', was, 'adoptedRunId', adopted)`,
    })})
    SELECT ${selectIssue(ISSUE, 'claimed')} FROM claimed`;
}

/**
 * A checkout that waits for the agent's lock may have read outdated budgets, so it claims nothing
 * if the agent's row has changed. A budget change of the company writes the rows of all its agents.
 */
const claimForAgent = statement('claim-issue', {
  takes: { ...CLAIM, agentId: 'uuid' },
  gives: ISSUE,
  sql: (p) =>
    claimSql(p, {
      mayHave: `i.assignee_user_id IS NULL AND (i.assignee_agent_id IS NULL OR i.assignee_agent_id = ${p.agentId})
        AND NOT (i.status = 'in_progress' AND i.checkout_run_id IS NOT DISTINCT FROM ${p.actingRunId}
          AND (${p.actingRunId} IS NOT NULL OR i.assignee_agent_id IS NOT NULL))`,
      ctes: `claimant AS (
      SELECT a.id, a.budget_monthly_cents, a.xmin AS version FROM agent a
      WHERE a.id = ${p.agentId} AND a.company_id = ${p.companyId} AND ${isEmployedSql('a')}
        AND EXISTS (SELECT FROM free)
      FOR NO KEY UPDATE
    ), run AS (
      SELECT r.id FROM heartbeat_run r
      WHERE r.id = ${p.actingRunId} AND r.status = 'running' AND r.agent_id = (SELECT id FROM claimant)
      FOR SHARE
    ), able AS (
      SELECT FROM claimant JOIN agent seen USING (id) JOIN company c ON c.id = ${p.companyId}
      WHERE (${p.actingRunId} IS NULL OR EXISTS (SELECT FROM run)) AND seen.xmin = claimant.version
        AND NOT ${agentBudgetSpent('claimant')} AND NOT ${companyBudgetSpent('c')}
        AND ${spentCapSql(capsSql({ companyId: 'c.id', agentId: 'claimant.id', issueId: p.issueId }))} IS NULL
    )`,
      agentId: p.agentId,
      userId: 'NULL',
      runId: p.actingRunId,
      claimant: `'agentId', assignee_agent_id`,
    }),
});

const claimForPerson = statement('claim-issue-as-person', {
  takes: { ...CLAIM, userId: 'text', memberId: 'uuid?' },
  gives: ISSUE,
  sql: (p) =>
    claimSql(p, {
      mayHave: `i.assignee_agent_id IS NULL AND (i.assignee_user_id IS NULL OR i.assignee_user_id = ${p.userId})
        AND i.checkout_user_id IS DISTINCT FROM ${p.userId}`,
      ctes: `member AS (
      SELECT m.user_id FROM membership m WHERE m.company_id = ${p.companyId} AND m.user_id = ${p.memberId}
        AND EXISTS (SELECT FROM free)
      FOR KEY SHARE
    ), able AS (
      SELECT FROM free WHERE ${p.memberId} IS NULL OR EXISTS (SELECT FROM member)
    )`,
      agentId: 'NULL',
      userId: p.userId,
      runId: 'NULL',
      claimant: `'userId', assignee_user_id`,
    }),
});
