import type { IssueModel } from '@switchyard/db';
import type { IssueSummaryView, IssueView } from '@switchyard/types';

export type IssueSummaryRow = Omit<IssueModel, 'description' | 'priorityRank'>;

const iso = (time: Date | null) => time?.toISOString() ?? null;

/** The release before wrote the end of a cancelled issue into `completed_at` too; that time is when it was cancelled. */
function endedAt(row: IssueSummaryRow): Pick<IssueSummaryView, 'completed_at' | 'cancelledAt'> {
  const { status, completedAt, cancelledAt } = row;
  return status === 'cancelled'
    ? { completed_at: null, cancelledAt: iso(cancelledAt ?? completedAt) }
    : { completed_at: iso(completedAt), cancelledAt: iso(cancelledAt) };
}

export function presentIssueSummary(row: IssueSummaryRow): IssueSummaryView {
  return {
    id: row.id,
    companyId: row.companyId,
    identifier: row.identifier,
    issueNumber: row.issueNumber,
    title: row.title,
    status: row.status as IssueSummaryView['status'],
    priority: row.priority as IssueSummaryView['priority'],
    assigneeAgentId: row.assigneeAgentId,
    parentId: row.parentId,
    projectId: row.projectId,
    goalId: row.goalId,
    billingCode: row.billingCode,
    checkoutRunId: row.checkoutRunId,
    checkedOutAt: iso(row.checkedOutAt),
    started_at: iso(row.startedAt),
    ...endedAt(row),
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    originRoutineRunId: row.originRoutineRunId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentIssue(row: IssueModel): IssueView {
  return { ...presentIssueSummary(row), description: row.description };
}
