import type { FromColumns } from '@switchyard/db';

/** What lists show of an issue: everything but its large text. */
export const ISSUE_SUMMARY = {
  id: 'uuid',
  companyId: 'uuid',
  identifier: 'text',
  issueNumber: 'int',
  title: 'text',
  status: 'text',
  priority: 'text',
  assigneeAgentId: 'uuid?',
  assigneeUserId: 'text?',
  parentId: 'uuid?',
  projectId: 'uuid?',
  goalId: 'uuid?',
  billingCode: 'text?',
  checkoutRunId: 'uuid?',
  checkoutUserId: 'text?',
  checkedOutAt: 'time?',
  started_at: 'time?',
  completed_at: 'time?',
  cancelledAt: 'time?',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  originRoutineRunId: 'uuid?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

export const ISSUE = { ...ISSUE_SUMMARY, description: 'text?' } as const;

export type IssueSummaryRow = FromColumns<typeof ISSUE_SUMMARY>;
export type IssueRow = FromColumns<typeof ISSUE>;
