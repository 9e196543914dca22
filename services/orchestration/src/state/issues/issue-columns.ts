import { type Columns, type FromColumns, jsonObject, select } from '@switchyard/db';

const OWN = {
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
  dueDate: 'date?',
  checkoutRunId: 'uuid?',
  checkoutUserId: 'text?',
  checkedOutAt: 'time?',
  started_at: 'time?',
  completed_at: 'time?',
  cancelledAt: 'time?',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  originRoutineRunId: 'uuid?',
  revision: 'int',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

export const ISSUE_SUMMARY = { ...OWN, labels: 'text[]' } as const;

export const ISSUE = { ...OWN, description: 'text?', labels: 'text[]' } as const;

export type IssueSummaryRow = FromColumns<typeof ISSUE_SUMMARY>;
export type IssueRow = FromColumns<typeof ISSUE>;

export const selectIssue = (columns: typeof ISSUE | typeof ISSUE_SUMMARY, from: string): string =>
  `${select(ownOf(columns), from)}, ${labelsOf(from)} AS labels`;

export const selectUnlabelledIssue = (from: string): string =>
  `${select(ownOf(ISSUE), from)}, '{}'::text[] AS labels`;

export const issueJson = (
  columns: typeof ISSUE | typeof ISSUE_SUMMARY,
  from: string,
  more: Readonly<Record<string, string>> = {},
): string => jsonObject(ownOf(columns), from, { labels: labelsOf(from), ...more });

function ownOf({ labels: _, ...own }: Columns): Columns {
  return own;
}

const labelsOf = (from: string) => `coalesce((
  SELECT array_agg(l.name ORDER BY l.key COLLATE "C")
  FROM issue_label link JOIN label l ON l.id = link.label_id WHERE link.issue_id = ${from}.id), '{}')`;
