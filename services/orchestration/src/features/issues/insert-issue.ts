import { type IssueModel, newId, type Tx } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { type CreateIssueBody, ISSUE_PRIORITIES } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { type Assignee, assertAssignable, lockAssignee } from './assignees';

export type IssueFields = CreateIssueBody & { originRoutineRunId?: string };

/**
 * Writes an issue with the next number of its company, and wakes nobody.
 * @throws Refusal 422 for an assignee that is terminated or waits for approval; nothing is written then
 */
export async function insertIssue(
  tx: Tx,
  scope: Scope,
  fields: IssueFields,
): Promise<{ issue: IssueModel; assignee: Assignee | null }> {
  const { companyId, actor, runId } = scope;
  const { status = 'backlog', priority = 'medium' } = fields;
  await tx.$queryRaw`SELECT 1 FROM company WHERE id = ${companyId}::uuid FOR NO KEY UPDATE`;
  const assignee = await lockAssignee(tx, companyId, fields.assigneeAgentId);
  if (assignee) assertAssignable(assignee);
  const company = await tx.company.update({
    where: { id: companyId },
    data: { issueCounter: { increment: 1 } },
    select: { issueCounter: true, issuePrefix: true, status: true },
  });
  // Asked again under the company's lock: an archive may have come since the call was admitted.
  if (company.status === 'archived') {
    throw conflict('company_archived', 'the company is archived', { retry: false });
  }
  const now = new Date();
  const issue = await tx.issue.create({
    data: {
      ...fields,
      status,
      priority,
      priorityRank: ISSUE_PRIORITIES.indexOf(priority),
      id: newId(),
      companyId,
      issueNumber: company.issueCounter,
      identifier: `${company.issuePrefix}-${company.issueCounter}`,
      startedAt: status === 'done' ? now : null,
      completedAt: status === 'done' ? now : null,
      cancelledAt: status === 'cancelled' ? now : null,
      ...createdBy(scope),
    },
  });
  await recordActivity(tx, {
    companyId,
    actor,
    runId,
    action: 'issue.created',
    entityType: 'issue',
    entityId: issue.id,
    details: { identifier: issue.identifier, title: issue.title, status },
  });
  return { issue, assignee };
}
