import { announce, ask, bind, newId, statement, trip } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { type CreateIssueBody, ISSUE_PRIORITIES } from '@switchyard/types';
import { createdBy } from '../../access/actor';
import type { Call, Tx } from '../../call';
import { ACTIVITY, activityOf, insertActivity } from '../activity';
import { lockCompanyRow } from '../companies/lock-company';
import { assertAssignable, lockAssignee, lockAssigneeRow } from './assignees';
import { ISSUE, type IssueRow, selectIssue } from './issue-columns';

export type IssueFields = CreateIssueBody & { originRoutineRunId?: string };

/**
 * Writes an issue with the next number of its company, and does not wake its assignee.
 * @throws ApiError 422 for an assignee that is terminated or waits for approval, 409 in a company that was archived
 * meanwhile; nothing is written then
 */
export async function insertIssue(tx: Tx, fields: IssueFields): Promise<{ issue: IssueRow }> {
  const issue = await numberAndInsert(tx, fields, false);
  if (issue) return { issue };
  const assignee = await lockAssignee(tx, tx.companyId, fields.assigneeAgentId);
  if (assignee) assertAssignable(assignee);
  throw conflict('company_archived', 'the company is archived', { retry: false });
}

/**
 * The same in one round trip, with a transaction of its own where the call is in none. Null, and nothing written, where
 * there is an assignee to be woken or something to be refused.
 */
export function insertQuietIssue(call: Call, fields: IssueFields): Promise<IssueRow | null> {
  return numberAndInsert(call, fields, true);
}

async function numberAndInsert(
  call: Call,
  fields: IssueFields,
  onlyQuietly: boolean,
): Promise<IssueRow | null> {
  const { db, companyId } = call;
  const { status = 'backlog', priority = 'medium', assigneeAgentId: agentId = null } = fields;
  const values = {
    companyId,
    agentId,
    onlyQuietly,
    issueId: newId(),
    title: fields.title,
    description: fields.description ?? null,
    status,
    priority,
    priorityRank: ISSUE_PRIORITIES.indexOf(priority),
    parentId: fields.parentId ?? null,
    projectId: fields.projectId ?? null,
    goalId: fields.goalId ?? null,
    billingCode: fields.billingCode ?? null,
    dueDate: fields.dueDate ?? null,
    originRoutineRunId: fields.originRoutineRunId ?? null,
    ...createdBy(call),
    ...activityOf(call),
  };
  // Without an assignee nothing is looked at but the company's row, whose update gives its latest version.
  const locks = agentId
    ? [bind(lockCompanyRow, { companyId }), bind(lockAssigneeRow, { companyId, agentId })]
    : [];
  const [issue] = agentId
    ? await trip(db, locks, numberIssue, values)
    : await ask(db, numberIssue, values);
  if (!issue) return null;
  announce(db, companyId);
  return issue;
}

const numberIssue = statement('insert-issue', {
  takes: {
    companyId: 'uuid',
    agentId: 'uuid?',
    onlyQuietly: 'bool',
    issueId: 'uuid',
    title: 'text',
    description: 'text?',
    status: 'text',
    priority: 'text',
    priorityRank: 'int',
    parentId: 'uuid?',
    projectId: 'uuid?',
    goalId: 'uuid?',
    billingCode: 'text?',
    dueDate: 'date?',
    originRoutineRunId: 'uuid?',
    createdByAgentId: 'uuid?',
    createdByUserId: 'text?',
    ...ACTIVITY,
  },
  gives: ISSUE,
  sql: (p) => `
    WITH numbered AS (
      UPDATE company SET issue_counter = issue_counter + 1, updated_at = now()
      WHERE id = ${p.companyId} AND status <> 'archived' AND NOT EXISTS (
        SELECT FROM agent a WHERE a.id = ${p.agentId} AND a.company_id = ${p.companyId}
          AND (a.status IN ('terminated', 'pending_approval') OR ${p.onlyQuietly} AND a.wake_on_assignment))
      RETURNING issue_counter, issue_prefix
    ), made AS (
      INSERT INTO issue (id, company_id, issue_number, identifier, title, description, status, priority,
        priority_rank, assignee_agent_id, parent_id, project_id, goal_id, billing_code, due_date,
        started_at, completed_at, cancelled_at,
        created_by_agent_id, created_by_user_id, origin_routine_run_id)
      SELECT ${p.issueId}, ${p.companyId}, issue_counter, issue_prefix || '-' || issue_counter,
        ${p.title}, ${p.description}, ${p.status}, ${p.priority}, ${p.priorityRank},
        ${p.agentId}, ${p.parentId}, ${p.projectId}, ${p.goalId}, ${p.billingCode}, ${p.dueDate},
        CASE ${p.status} WHEN 'done' THEN now() END, CASE ${p.status} WHEN 'done' THEN now() END,
        CASE ${p.status} WHEN 'cancelled' THEN now() END,
        ${p.createdByAgentId}, ${p.createdByUserId}, ${p.originRoutineRunId} FROM numbered
      RETURNING *
    ), recorded AS (${insertActivity(p, {
      action: 'issue.created',
      from: 'made',
      companyId: 'company_id',
      entityId: 'id',
      details: `jsonb_build_object('identifier', identifier, 'title', title, 'status', status)`,
    })})
    SELECT ${selectIssue(ISSUE, 'made')} FROM made`,
});
