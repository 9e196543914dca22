import { FAILED_RUN_DAYS } from '@switchyard/types';
import { refusalSql } from '../../state/agents/may-start';
import { THIS_MONTH } from '../../state/budgets/month';
import { companySpend, isSpentSql } from '../../state/budgets/spent';
import { isEmployedSql } from '../../state/statuses/agent-status';
import { isOpenSql, isStartedOrNextSql } from '../../state/statuses/issue-status';
import { isFailureSql, isLiveSql } from '../../state/statuses/run-status';
import type { SourceParameters } from './source';

const PARTS = {
  firm: (p) => `
    SELECT c.*, ${isSpentSql('c.spend', 'c.budget')} AS is_spent FROM (
      SELECT c.id, c.name, c.status, c.updated_at, c.budget_monthly_cents AS budget,
        ${companySpend('c.id')} AS spend, m.soft_alerted_at, m.hard_stopped_at
      FROM company c LEFT JOIN company_month m ON m.company_id = c.id AND m.month = ${THIS_MONTH}
      WHERE c.id = ${p.companyId} AND c.status <> 'archived'
    ) c`,

  open_run: (p) => `
    SELECT id, agent_id, issue_id, wake_reasons FROM heartbeat_run
    WHERE company_id = ${p.companyId} AND ${isLiveSql('heartbeat_run')}`,

  waking: (p) => `
    SELECT agent_id, issue_id FROM agent_wakeup WHERE status = 'pending' AND company_id = ${p.companyId}`,

  awake: (p) => `
    SELECT agent_id FROM open_run UNION SELECT agent_id FROM waking
    UNION SELECT r.assignee_agent_id FROM routine r
      JOIN routine_trigger t ON t.company_id = r.company_id AND t.routine_id = r.id
      WHERE r.company_id = ${p.companyId} AND r.status = 'active'
        AND t.next_run_at < now() + interval '${WAKE_AHEAD_HOURS} hours'`,

  staff: (p) => `
    SELECT a.*, awake.agent_id IS NOT NULL AS is_awake,
      ${refusalSql('a', 'f', { agent: 'a.is_spent', company: 'f.is_spent', cap: 'NULL' })} IS NULL AS may_run
    FROM firm f CROSS JOIN (
      SELECT a.id, a.name, a.status, a.pause_reason, a.paused_at, a.error_reason, a.created_at,
        a.consecutive_failures AS failures, a.budget_monthly_cents AS budget,
        coalesce(m.cost_cents, 0) AS spend, m.soft_alerted_at, m.hard_stopped_at,
        ${isSpentSql('coalesce(m.cost_cents, 0)', 'a.budget_monthly_cents')} AS is_spent
      FROM agent a LEFT JOIN agent_month m ON m.agent_id = a.id AND m.month = ${THIS_MONTH}
      WHERE a.company_id = ${p.companyId} AND ${isEmployedSql('a')}
    ) a LEFT JOIN awake ON awake.agent_id = a.id`,

  failed: (p) => `
    SELECT r.id, r.agent_id, r.issue_id, r.finished_at, r.status, r.error_code, r.error, r.source
    FROM heartbeat_run r WHERE r.company_id = ${p.companyId} AND ${isFailureSql('r')}
      AND r.created_at > now() - interval '${FAILED_RUN_DAYS} days'
      AND CASE WHEN r.agent_id NOT IN (SELECT id FROM staff WHERE may_run) OR ${isOfEndedIssue} THEN false
        WHEN r.issue_id IS NULL THEN ${laterOfAgent} ELSE ${laterOfIssue} END`,

  unfit: (p) => `
    SELECT c.agent_id, c.checked_at, left(c.errors #>> '{0,message}', 300) AS message
    FROM staff s JOIN agent_last_check c ON c.agent_id = s.id AND c.company_id = ${p.companyId}
    WHERE c.errors <> '[]' AND ${noSuccessSince}`,

  covered: (p) => `
    SELECT issue_id FROM open_run WHERE issue_id IS NOT NULL
    UNION ALL SELECT (wake ->> 'issueId')::uuid FROM open_run, jsonb_array_elements(wake_reasons) wake
      WHERE wake ->> 'issueId' IS NOT NULL
    UNION ALL SELECT held.id FROM open_run JOIN issue held ON held.checkout_run_id = open_run.id
    UNION ALL SELECT issue_id FROM waking WHERE issue_id IS NOT NULL
    UNION ALL SELECT issue_id FROM failed WHERE issue_id IS NOT NULL
    UNION ALL SELECT ai.issue_id FROM approval ap JOIN approval_issue ai ON ai.approval_id = ap.id
      WHERE ap.company_id = ${p.companyId} AND ap.status = 'pending'
    UNION ALL SELECT id FROM issue
      WHERE company_id = ${p.companyId} AND board_mention_comment_id IS NOT NULL AND status <> 'blocked'`,

  /**
   * Selects issues that wait for the end of a blocker or a child. Ignores blockers and children in
   * the backlog.
   */
  waiting: (p) => `
    SELECT parent_id AS issue_id FROM issue
    WHERE company_id = ${p.companyId} AND parent_id IS NOT NULL AND status IN (${UNDER_WAY})
    UNION ALL SELECT b.issue_id FROM issue_blocker b JOIN issue x ON x.id = b.blocker_id
      WHERE b.company_id = ${p.companyId} AND x.status IN (${UNDER_WAY})`,
} as const satisfies Record<string, (p: SourceParameters) => string>;

export type Part = keyof typeof PARTS;

export const partsSql = (names: readonly Part[], p: SourceParameters): string =>
  (Object.keys(PARTS) as Part[])
    .filter((name) => names.includes(name))
    .map((name) => `${name} AS MATERIALIZED (${PARTS[name](p)}\n  )`)
    .join(', ');

const WAKE_AHEAD_HOURS = 24;

const UNDER_WAY = "'todo', 'in_progress', 'in_review', 'blocked'";

const isOfEndedIssue = `(
  SELECT NOT ${isOpenSql('i')} FROM issue i WHERE i.id = r.issue_id)`;

const laterOfAgent = `(
  SELECT l.id FROM heartbeat_run l WHERE l.agent_id = r.agent_id
    AND l.status IN ('queued', 'running', 'succeeded', 'failed', 'timed_out', 'cancelled')
    AND (l.created_at, l.id) > (r.created_at, r.id) LIMIT 1) IS NULL`;

/**
 * True if no later run of the agent is about the issue or merged a wake for the issue. IS NOT
 * DISTINCT FROM makes PostgreSQL use the index of merged wakes.
 */
const laterOfIssue = `(
  SELECT l.id FROM heartbeat_run l WHERE l.company_id = r.company_id AND l.issue_id = r.issue_id
    AND (l.created_at, l.id) > (r.created_at, r.id) AND l.agent_id = r.agent_id LIMIT 1) IS NULL
  AND (
  SELECT l.id FROM heartbeat_run l WHERE jsonb_array_length(l.wake_reasons) > 1
    AND jsonb_path_query_array(l.wake_reasons, '$[*].issueId') @> to_jsonb(r.issue_id::text)
    AND (l.created_at, l.id) > (r.created_at, r.id) AND l.agent_id IS NOT DISTINCT FROM r.agent_id LIMIT 1) IS NULL`;

const noSuccessSince = `(
  SELECT r.id FROM heartbeat_run r WHERE r.agent_id = c.agent_id AND r.status = 'succeeded'
    AND r.created_at > c.checked_at LIMIT 1) IS NULL`;

export const unfitness = (agentId: string) =>
  `(SELECT unfit.message FROM unfit WHERE unfit.agent_id = ${agentId})`;

export const isStopped = (agent: string) =>
  `${agent}.status = 'paused' AND ${agent}.pause_reason = 'failures' AND NOT ${agent}.is_spent`;

export const isLeft = (issue: string) => `${issue}.id NOT IN (SELECT issue_id FROM covered)`;

export const isNotWaiting = (issue: string) => `${issue}.id NOT IN (SELECT issue_id FROM waiting)`;

export const workOf = (p: SourceParameters, agentId: string) =>
  `(SELECT count(*) FROM issue w WHERE w.company_id = ${p.companyId} AND w.assignee_agent_id = ${agentId}
    AND ${isStartedOrNextSql('w')})`;

export const workOfCompany = (p: SourceParameters) =>
  `(SELECT count(*) FROM issue w WHERE w.company_id = ${p.companyId} AND ${isStartedOrNextSql('w')})`;

export const needsUnblocking = (issue: string) =>
  `${issue}.status = 'blocked' AND ${isLeft(issue)} AND ${isNotWaiting(issue)}`;
