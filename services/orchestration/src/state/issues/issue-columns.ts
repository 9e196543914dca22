import { type Columns, type FromColumns, jsonObject, select } from '@switchyard/db';

/** Columns of an issue's own row. */
const OWN = {
  id: 'uuid',
  companyId: 'uuid',
  identifier: 'text',
  issueNumber: 'int',
  title: 'text',
  status: 'text',
  priority: 'text',
  assigneeAgentId: 'uuid?',
  parentId: 'uuid?',
  projectId: 'uuid?',
  goalId: 'uuid?',
  billingCode: 'text?',
  dueDate: 'date?',
  checkoutRunId: 'uuid?',
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

/** What is shown of an issue without its large text. */
export const ISSUE_SUMMARY = { ...OWN, labels: 'text[]' } as const;

/** The same as a row of a list. */
export const LISTED_ISSUE = { ...ISSUE_SUMMARY, childCount: 'int' } as const;

export const ISSUE = { ...OWN, description: 'text?', labels: 'text[]' } as const;

export type IssueSummaryRow = FromColumns<typeof ISSUE_SUMMARY>;
export type ListedIssueRow = FromColumns<typeof LISTED_ISSUE>;
export type IssueRow = FromColumns<typeof ISSUE>;

/** The columns of ISSUE or ISSUE_SUMMARY, of a row of `issue` that the statement has under `from`. */
export const selectIssue = (columns: typeof ISSUE | typeof ISSUE_SUMMARY, from: string): string =>
  `${select(ownOf(columns), from)}, ${labelsOf(from)} AS labels`;

/** The columns of LISTED_ISSUE; for rows that their LIMIT has chosen already. */
export const selectListedIssue = (from: string): string => `${selectIssue(ISSUE_SUMMARY, from)},
  (SELECT count(*)::int FROM issue child
    WHERE child.company_id = ${from}.company_id AND child.parent_id = ${from}.id) AS "childCount"`;

/** ISSUE or ISSUE_SUMMARY as one JSON object. */
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
