import { FAILED_RUN_DAYS } from '@switchyard/types';
import { THIS_MONTH } from '../../state/budgets/month';
import { companySpend } from '../../state/budgets/spent';
import { isOpenSql } from '../../state/issues/issue-status';
import type { SourceParameters } from './source';

/**
 * SQL: what several sources look at, as CTEs. `firm` is the company with its spend; `staff` its agents, whether they may
 * start and whether something wakes them before long; `failed` the runs that nothing will repeat; `unfit` the agents whose
 * last check found what keeps them from running; `covered` the issues that a machine still moves or that another item is
 * about.
 */
export const commonParts = (p: SourceParameters): string => `
  firm AS MATERIALIZED (
    SELECT c.id, c.name, c.status, c.updated_at, c.budget_monthly_cents AS budget,
      ${companySpend('c.id')} AS spend, m.soft_alerted_at, m.hard_stopped_at
    FROM company c
    LEFT JOIN company_month m ON m.company_id = c.id AND m.month = ${THIS_MONTH}
    WHERE c.id = ${p.companyId} AND c.status <> 'archived'
  ), open_run AS MATERIALIZED (
    SELECT id, agent_id, issue_id, wake_reasons FROM heartbeat_run
    WHERE company_id = ${p.companyId} AND status IN ('queued', 'running')
  ), waking AS MATERIALIZED (
    SELECT agent_id, issue_id FROM agent_wakeup
    WHERE status = 'pending' AND company_id = ${p.companyId}
  ), awake AS MATERIALIZED (
    SELECT agent_id FROM open_run UNION SELECT agent_id FROM waking
    UNION SELECT r.assignee_agent_id FROM routine r
      JOIN routine_trigger t ON t.company_id = r.company_id AND t.routine_id = r.id
      WHERE r.company_id = ${p.companyId} AND r.status = 'active'
        AND t.next_run_at < now() + interval '${WAKE_AHEAD_HOURS} hours'
  ), staff AS MATERIALIZED (
    SELECT agent.*, awake.agent_id IS NOT NULL AS is_awake,
      agent.firm_may_run AND NOT agent.is_spent
        AND (agent.status <> 'paused' OR agent.pause_reason = 'budget') AS may_run
    FROM (
      SELECT a.id, a.name, a.status, a.pause_reason, a.paused_at, a.error_reason, a.created_at,
        a.consecutive_failures AS failures, a.budget_monthly_cents AS budget,
        coalesce(m.cost_cents, 0) AS spend, m.soft_alerted_at, m.hard_stopped_at,
        a.budget_monthly_cents > 0 AND coalesce(m.cost_cents, 0) >= a.budget_monthly_cents AS is_spent,
        f.status = 'active' AND (f.budget = 0 OR f.spend < f.budget) AS firm_may_run
      FROM firm f JOIN agent a ON a.company_id = f.id
      LEFT JOIN agent_month m ON m.agent_id = a.id AND m.month = ${THIS_MONTH}
      WHERE a.company_id = ${p.companyId} AND a.status NOT IN ('terminated', 'pending_approval')
    ) agent LEFT JOIN awake ON awake.agent_id = agent.id
  ), failed AS MATERIALIZED (
    SELECT r.id, r.agent_id, r.issue_id, r.finished_at, r.status, r.error_code, r.error, r.source
    FROM staff s
    JOIN heartbeat_run r ON r.agent_id = s.id AND r.status IN ('failed', 'timed_out')
      AND r.created_at > now() - interval '${FAILED_RUN_DAYS} days'
    WHERE s.may_run AND CASE WHEN ${isOfEndedIssue} THEN false
      WHEN r.issue_id IS NULL THEN ${laterOfAgent} ELSE ${laterOfIssue} END
  ), unfit AS MATERIALIZED (
    SELECT c.agent_id, c.checked_at, left(c.errors #>> '{0,message}', 300) AS message
    FROM staff s JOIN agent_last_check c ON c.agent_id = s.id AND c.company_id = ${p.companyId}
    WHERE c.errors <> '[]' AND ${noSuccessSince}
  ), covered AS MATERIALIZED (
    SELECT issue_id FROM open_run WHERE issue_id IS NOT NULL
    UNION SELECT (wake ->> 'issueId')::uuid FROM open_run, jsonb_array_elements(wake_reasons) wake
      WHERE wake ->> 'issueId' IS NOT NULL
    UNION SELECT held.id FROM open_run JOIN issue held ON held.checkout_run_id = open_run.id
    UNION SELECT issue_id FROM waking WHERE issue_id IS NOT NULL
    UNION SELECT issue_id FROM failed WHERE issue_id IS NOT NULL
    UNION SELECT ai.issue_id FROM approval ap JOIN approval_issue ai ON ai.approval_id = ap.id
      WHERE ap.company_id = ${p.companyId} AND ap.status = 'pending'
    UNION SELECT id FROM issue
      WHERE company_id = ${p.companyId} AND board_mention_comment_id IS NOT NULL AND status <> 'blocked'
  )`;

/** A schedule that wakes the agent within so many hours counts as a wake ahead. */
const WAKE_AHEAD_HOURS = 24;

/** SQL: whether the issue of `r` is over. Looked up for each run: joined, all issues of the company would be read. */
const isOfEndedIssue = `(
  SELECT i.status IN ('done', 'cancelled') FROM issue i WHERE i.id = r.issue_id)`;

/** SQL: whether no run of the agent came after `r`, which was for no issue. */
const laterOfAgent = `(
  SELECT l.id FROM heartbeat_run l WHERE l.agent_id = r.agent_id
    AND l.status IN ('queued', 'running', 'succeeded', 'failed', 'timed_out', 'cancelled')
    AND (l.created_at, l.id) > (r.created_at, r.id) LIMIT 1) IS NULL`;

/**
 * SQL: whether no run of the agent for the issue of `r` came after it, nor one that took a wake for it on. IS NOT DISTINCT
 * FROM keeps PostgreSQL from reading all runs of the agent beside the few that the index of merged wakes has.
 */
const laterOfIssue = `(
  SELECT l.id FROM heartbeat_run l WHERE l.company_id = r.company_id AND l.issue_id = r.issue_id
    AND (l.created_at, l.id) > (r.created_at, r.id) AND l.agent_id = r.agent_id LIMIT 1) IS NULL
  AND (
  SELECT l.id FROM heartbeat_run l WHERE jsonb_array_length(l.wake_reasons) > 1
    AND jsonb_path_query_array(l.wake_reasons, '$[*].issueId') @> to_jsonb(r.issue_id::text)
    AND (l.created_at, l.id) > (r.created_at, r.id) AND l.agent_id IS NOT DISTINCT FROM r.agent_id LIMIT 1) IS NULL`;

/** SQL: whether no run has shown the contrary of the check `c`. */
const noSuccessSince = `(
  SELECT r.id FROM heartbeat_run r WHERE r.agent_id = c.agent_id AND r.status = 'succeeded'
    AND r.created_at > c.checked_at LIMIT 1) IS NULL`;

/** SQL: what the last check of an agent found, or null. */
export const unfitness = (agentId: string) =>
  `(SELECT unfit.message FROM unfit WHERE unfit.agent_id = ${agentId})`;

/** SQL: whether failures have stopped an agent, and resuming it is all that it takes. */
export const isStopped = (agent: string) =>
  `${agent}.status = 'paused' AND ${agent}.pause_reason = 'failures' AND NOT ${agent}.is_spent`;

/**
 * SQL: whether nothing works on an issue and no other item is about it. NOT IN is looked up in a hash, also among other
 * conditions, where NOT EXISTS reads what is covered from its beginning for each issue.
 */
export const isLeft = (issue: string) => `${issue}.id NOT IN (SELECT issue_id FROM covered)`;

/** SQL: whether the end of another issue, which is not in the backlog, will go on with this one: of a blocker or a child. */
export const isWaiting = (issue: string) => `(coalesce((
    SELECT true FROM issue_blocker b JOIN issue x ON x.id = b.blocker_id
    WHERE b.issue_id = ${issue}.id AND ${isUnderWay('x')} LIMIT 1
  ), (
    SELECT true FROM issue x WHERE x.parent_id = ${issue}.id AND ${isUnderWay('x')} LIMIT 1
  ), false))`;

const isUnderWay = (issue: string) => `${isOpenSql(issue)} AND ${issue}.status <> 'backlog'`;

/** SQL: how many issues an agent has to do or in hand. */
export const workOf = (p: SourceParameters, agentId: string) =>
  `(SELECT count(*) FROM issue w WHERE w.company_id = ${p.companyId} AND w.assignee_agent_id = ${agentId}
    AND w.status IN ('todo', 'in_progress'))`;

/** SQL: whether an issue is blocked and a person has to say how it goes on. */
export const needsUnblocking = (issue: string) =>
  `${issue}.status = 'blocked' AND ${isLeft(issue)} AND NOT ${isWaiting(issue)}`;
