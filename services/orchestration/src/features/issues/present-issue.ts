import type { IssueModel } from '@switchyard/db';
import type { IssueSummaryView, IssueView } from '@switchyard/types';

export type IssueSummaryRow = Omit<IssueModel, 'description' | 'priorityRank'>;

const iso = (time: Date | null) => time?.toISOString() ?? null;

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
    completed_at: iso(row.completedAt),
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
