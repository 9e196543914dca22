import { z } from 'zod';
import {
  commaList,
  day,
  id,
  longText,
  optionalText,
  pageQuery,
  queryTime,
  searchText,
  text,
  timestamp,
  title,
} from '../primitives';
import { document, documentSummary } from './documents';
import { goal, goalSummary } from './goals';
import { labelName } from './labels';
import { projectDetail, projectSummary } from './projects';

export const ISSUE_STATUSES = [
  'backlog',
  'todo',
  'in_progress',
  'in_review',
  'blocked',
  'done',
  'cancelled',
] as const;
/** Most urgent first; the position is the rank that lists are sorted by. */
export const ISSUE_PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;

export type IssueStatus = (typeof ISSUE_STATUSES)[number];
export type IssuePriority = (typeof ISSUE_PRIORITIES)[number];

/** An issue as lists show it: no large texts. */
export const issueSummary = z.object({
  id,
  companyId: id,
  identifier: z.string(),
  issueNumber: z.int(),
  title: z.string(),
  status: z.enum(ISSUE_STATUSES),
  priority: z.enum(ISSUE_PRIORITIES),
  assigneeAgentId: id.nullable(),
  parentId: id.nullable(),
  projectId: id.nullable(),
  goalId: id.nullable(),
  billingCode: z.string().nullable(),
  dueDate: day.nullable(),
  /** Sorted by name. */
  labels: z.array(z.string()),
  checkoutRunId: id.nullable(),
  checkedOutAt: timestamp.nullable(),
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  cancelledAt: timestamp.nullable(),
  createdByAgentId: id.nullable(),
  createdByUserId: z.string().nullable(),
  originRoutineRunId: id.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** An issue of a list, with how many issues have it as their parent. */
export const listedIssue = issueSummary.extend({ childCount: z.int() });

export const issue = issueSummary.extend({ description: z.string().nullable() });

/** The goal and the project of an ancestor come without their large texts. */
export const issueAncestor = issueSummary.extend({
  project: projectSummary.nullable(),
  goal: goalSummary.nullable(),
});

export const issueDetail = issue.extend({
  project: projectDetail.nullable(),
  goal: goal.nullable(),
  /** Nearest parent first. */
  ancestors: z.array(issueAncestor),
  /** The issues whose parent this one is; each status has its number, 0 too. */
  children: z.object({ total: z.int(), byStatus: z.record(z.enum(ISSUE_STATUSES), z.int()) }),
  planDocument: document.nullable(),
  documentSummaries: z.array(documentSummary),
  /** Read from an old `<plan>` block of the description; null when there is a plan document. */
  legacyPlanDocument: z
    .object({
      key: z.literal('plan'),
      format: z.literal('markdown'),
      body: z.string(),
      source: z.literal('issue_description'),
    })
    .nullable(),
});

const writable = {
  title,
  description: longText.nullable(),
  status: z.enum(ISSUE_STATUSES),
  priority: z.enum(ISSUE_PRIORITIES),
  assigneeAgentId: id.nullable(),
  parentId: id.nullable(),
  projectId: id.nullable(),
  goalId: id.nullable(),
  billingCode: optionalText(200).nullable(),
  dueDate: day.nullable(),
  /** The whole set, by name; a name that the company does not have yet is made. */
  labels: z.array(labelName).max(50),
};

const commentBody = text(100_000);

export const createIssueBody = z.strictObject(writable).partial().required({ title: true });

export const updateIssueBody = z.strictObject({ ...writable, comment: commentBody }).partial();

/** What a list of issues begins with: the most urgent, the last changed, the newest, what is due first. */
export const ISSUE_SORTS = ['priority', 'updated', 'created', 'due'] as const;

export const listIssuesQuery = z
  .strictObject({
    ...pageQuery(),
    sort: z.enum(ISSUE_SORTS).default('priority'),
    status: commaList(ISSUE_STATUSES).optional(),
    assigneeAgentId: id.optional(),
    unassigned: z.enum(['true', 'false']).default('false'),
    projectId: id.optional(),
    goalId: id.optional(),
    parentId: id.optional(),
    approvalId: id.optional(),
    label: labelName.optional().describe('The name of a label, whatever its case'),
    q: searchText.optional().describe('Words of its identifier, title and description'),
    updatedAfter: queryTime.optional(),
  })
  .refine((query) => query.unassigned === 'false' || query.assigneeAgentId === undefined, {
    path: ['unassigned'],
    message: 'cannot be combined with assigneeAgentId',
  });

export const checkoutIssueBody = z.strictObject({
  agentId: id,
  expectedStatuses: z.array(z.enum(ISSUE_STATUSES)).min(1).max(ISSUE_STATUSES.length),
});

export const mentionOutcome = z.object({
  agentId: id.nullable(),
  name: z.string(),
  outcome: z.enum(['woken', 'coalesced', 'skipped']),
  reason: z.string().nullable(),
});

export const comment = z.object({
  id,
  issueId: id,
  body: z.string(),
  authorAgentId: id.nullable(),
  authorUserId: z.string().nullable(),
  createdByRunId: id.nullable(),
  createdAt: timestamp,
  mentions: z.array(mentionOutcome),
});

export const createCommentBody = z.strictObject({ body: commentBody });

export const listIssueCommentsQuery = z.strictObject({
  ...pageQuery(),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: id.optional().describe('A comment of the issue: those that were written after it'),
});

export const listCommentsQuery = z.strictObject(pageQuery());

/** The answer of an update that carried `comment` also names the comment it made. */
export const updatedIssue = issue.extend({ comment: comment.optional() });

export type IssueSummaryView = z.infer<typeof issueSummary>;
export type ListedIssueView = z.infer<typeof listedIssue>;
export type IssueSort = (typeof ISSUE_SORTS)[number];
export type ListIssueCommentsQuery = z.infer<typeof listIssueCommentsQuery>;
export type IssueView = z.infer<typeof issue>;
export type IssueAncestorView = z.infer<typeof issueAncestor>;
export type IssueDetailView = z.infer<typeof issueDetail>;
export type CommentView = z.infer<typeof comment>;
export type MentionOutcome = z.infer<typeof mentionOutcome>;
export type CreateIssueBody = z.infer<typeof createIssueBody>;
export type UpdateIssueBody = z.infer<typeof updateIssueBody>;
export type CheckoutIssueBody = z.infer<typeof checkoutIssueBody>;
export type ListIssuesQuery = z.infer<typeof listIssuesQuery>;
