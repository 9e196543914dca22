import { inTransaction, newId } from '@switchyard/db';
import { semantic } from '@switchyard/server';
import { type CreateIssueBody, ISSUE_PRIORITIES, type IssueView } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { assertAssignable, lockAssignee, wakeAssignee } from './assignees';
import { presentIssue } from './present-issue';

/**
 * @throws Refusal 422 when it is created in progress (claiming is done by checkout), or for an assignee
 * that is terminated or waits for approval
 */
export async function createIssue(
  effects: Effects,
  scope: Scope,
  body: CreateIssueBody,
): Promise<IssueView> {
  const { companyId, actor, runId } = scope;
  const { status = 'backlog', priority = 'medium' } = body;
  if (status === 'in_progress') {
    throw semantic('invalid_transition', 'an issue enters in_progress by checkout', {
      from: null,
      to: 'in_progress',
      allowed: ['backlog', 'todo', 'in_review', 'blocked', 'done', 'cancelled'],
    });
  }
  return inTransaction(scope.db, async (tx) => {
    const company = await tx.company.update({
      where: { id: companyId },
      data: { issueCounter: { increment: 1 } },
      select: { issueCounter: true, issuePrefix: true },
    });
    const assignee = await lockAssignee(tx, companyId, body.assigneeAgentId);
    if (assignee) assertAssignable(assignee);
    const now = new Date();
    const issue = await tx.issue.create({
      data: {
        ...body,
        status,
        priority,
        priorityRank: ISSUE_PRIORITIES.indexOf(priority),
        id: newId(),
        companyId,
        issueNumber: company.issueCounter,
        identifier: `${company.issuePrefix}-${company.issueCounter}`,
        startedAt: status === 'done' ? now : null,
        completedAt: status === 'done' || status === 'cancelled' ? now : null,
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
    if (assignee) await wakeAssignee(effects, tx, scope, issue, assignee);
    return presentIssue(issue);
  });
}
