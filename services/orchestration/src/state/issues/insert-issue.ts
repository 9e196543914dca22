import { type IssueModel, newId } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { type CreateIssueBody, ISSUE_PRIORITIES } from '@switchyard/types';
import { createdBy } from '../../access/actor';
import type { Tx } from '../../call';
import { type Assignee, assertAssignable, lockAssignee } from './assignees';

export type IssueFields = CreateIssueBody & { originRoutineRunId?: string };

/**
 * Writes an issue with the next number of its company, and wakes nobody.
 * @throws ApiError 422 for an assignee that is terminated or waits for approval; nothing is written then
 */
export async function insertIssue(
  tx: Tx,
  fields: IssueFields,
): Promise<{ issue: IssueModel; assignee: Assignee | null }> {
  const { companyId } = tx;
  const { status = 'backlog', priority = 'medium' } = fields;
  await tx.prisma.$queryRaw`SELECT 1 FROM company WHERE id = ${companyId}::uuid FOR NO KEY UPDATE`;
  const assignee = await lockAssignee(tx, companyId, fields.assigneeAgentId);
  if (assignee) assertAssignable(assignee);
  const company = await tx.prisma.company.update({
    where: { id: companyId },
    data: { issueCounter: { increment: 1 } },
    select: { issueCounter: true, issuePrefix: true, status: true },
  });
  // Asked again under the company's lock: an archive may have come since the call was admitted.
  if (company.status === 'archived') {
    throw conflict('company_archived', 'the company is archived', { retry: false });
  }
  const now = new Date();
  const issue = await tx.prisma.issue.create({
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
      ...createdBy(tx),
    },
  });
  await tx.record('issue.created', issue.id, {
    identifier: issue.identifier,
    title: issue.title,
    status,
  });
  return { issue, assignee };
}
