import { z } from 'zod';
import { LOCAL_BOARD_ID } from '../people';
import {
  commaList,
  day,
  excerpt,
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
import { callbackFields, callbackState } from '../running/callbacks';
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
export const ISSUE_PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;

export type IssueStatus = (typeof ISSUE_STATUSES)[number];
export type IssuePriority = (typeof ISSUE_PRIORITIES)[number];

// Aborts after the first failed check, so that only the union below reports an error.
const userId = z.uuid({ abort: true });
export const assignableUser = z.union([z.enum(['me', LOCAL_BOARD_ID]), userId], {
  error: 'must be the id of a member, or "me"',
});

export const issueSummary = z.object({
  id,
  companyId: id,
  identifier: z.string(),
  issueNumber: z.int(),
  title: z.string(),
  status: z.enum(ISSUE_STATUSES),
  priority: z.enum(ISSUE_PRIORITIES),
  assigneeAgentId: id.nullable(),
  assigneeUserId: z.string().nullable(),
  parentId: id.nullable(),
  projectId: id.nullable(),
  goalId: id.nullable(),
  billingCode: z.string().nullable(),
  dueDate: day.nullable(),
  labels: z.array(z.string()),
  checkoutRunId: id.nullable(),
  checkoutUserId: z.string().nullable(),
  checkedOutAt: timestamp.nullable(),
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  cancelledAt: timestamp.nullable(),
  createdByAgentId: id.nullable(),
  createdByUserId: z.string().nullable(),
  originRoutineRunId: id.nullable(),
  revision: z
    .int()
    .describe('Increases with each change of a writable field, except `labels` and `blockedBy`'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const listedIssue = issueSummary.extend({
  blockedByCount: z.int(),
  childCount: z.int(),
  assigneeName: z.string().nullable(),
  descriptionExcerpt: excerpt,
  liveRun: z
    .object({
      id,
      status: z.enum(['queued', 'running']),
      agentId: id,
      startedAt: timestamp.nullable(),
    })
    .nullable()
    .describe('The run that holds the issue, or else a running or waiting run of the issue'),
  lastActivityAt: timestamp.describe(
    'Time of the latest change of the issue, its comments, its documents, or the start or end of its latest run',
  ),
});

export const issue = issueSummary.extend({ description: z.string().nullable() });

const issueBlocker = z.object({
  issueId: id,
  identifier: z.string(),
  title: z.string(),
  status: z.enum(ISSUE_STATUSES),
});

export const issueAncestor = issueSummary.extend({
  project: projectSummary.nullable(),
  goal: goalSummary.nullable(),
});

export const issueDetail = issue.extend({
  project: projectDetail.nullable(),
  goal: goal.nullable(),
  ancestors: z.array(issueAncestor),
  /** Sorted by number. Includes done and cancelled issues, which no longer block. */
  blockedBy: z.array(issueBlocker),
  children: z.object({ total: z.int(), byStatus: z.record(z.enum(ISSUE_STATUSES), z.int()) }),
  planDocument: document.nullable(),
  documentSummaries: z.array(documentSummary),
  callback: callbackState,
  /** From a legacy `<plan>` block in the description; null if there is a plan document. */
  legacyPlanDocument: z
    .object({
      key: z.literal('plan'),
      format: z.literal('markdown'),
      body: z.string(),
      source: z.literal('issue_description'),
    })
    .nullable(),
});

const MAX_BLOCKERS = 50;

const writable = {
  title,
  description: longText.nullable(),
  status: z.enum(ISSUE_STATUSES),
  priority: z.enum(ISSUE_PRIORITIES),
  assigneeAgentId: id.nullable(),
  assigneeUserId: assignableUser.nullable(),
  parentId: id.nullable(),
  projectId: id.nullable(),
  goalId: id.nullable(),
  billingCode: optionalText(200).nullable(),
  blockedBy: z.array(id).max(MAX_BLOCKERS),
  dueDate: day.nullable(),
  labels: z.array(labelName).max(50),
};

const commentBody = text(100_000);

const commentWake = z
  .boolean()
  .describe(
    'Whether a comment by a person wakes the assignee and the agents that it answers. Default: both while the issue is open, afterwards only the agents that it answers. Mentioned agents are always woken. Agents cannot send `true`',
  );
const updateWake = z
  .boolean()
  .describe(
    '`false`: the update wakes only the agents that its comment mentions. Agents cannot send `true`',
  );

interface Assignees {
  assigneeAgentId?: string | null | undefined;
  assigneeUserId?: string | null | undefined;
}

const namesOneAssignee = ({ assigneeAgentId, assigneeUserId }: Assignees) =>
  !(assigneeAgentId && assigneeUserId);
const ONE_ASSIGNEE = {
  path: ['assigneeUserId'],
  error: 'send only one of assigneeAgentId and assigneeUserId',
};

export const createIssueBody = z
  .strictObject({ ...writable, ...callbackFields })
  .partial()
  .required({ title: true })
  .refine(namesOneAssignee, ONE_ASSIGNEE);

export const updateIssueBody = z
  .strictObject({
    ...writable,
    comment: commentBody,
    wake: updateWake,
    revision: z
      .int()
      .min(1)
      .describe('The expected revision of the issue; another revision causes 409 `stale_revision`'),
  })
  .partial()
  .refine(namesOneAssignee, ONE_ASSIGNEE);

const MAX_WAIT_SEC = 60;

export const getIssueQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^\d{1,2}$/, `must be a whole number from 0 to ${MAX_WAIT_SEC}`)
    .transform(Number)
    .pipe(z.int().min(0).max(MAX_WAIT_SEC))
    .default(0)
    .describe('Seconds to wait for `until`; the response then contains the current state'),
  until: z
    .enum(['ended', 'changed'])
    .default('ended')
    .describe('`ended`: done or cancelled; `changed`: any change or comment'),
});

/** The first rows are the most urgent, most recently updated, newest, or due soonest. */
export const ISSUE_SORTS = ['priority', 'updated', 'created', 'due'] as const;

const issueFilters = {
  sort: z.enum(ISSUE_SORTS).default('priority'),
  status: commaList(ISSUE_STATUSES).optional(),
  assigneeAgentId: id.optional(),
  assigneeUserId: assignableUser.optional().describe('The id of a person, or `me`'),
  unassigned: z.enum(['true', 'false']).default('false'),
  projectId: id.optional(),
  goalId: id.optional(),
  servesGoalId: id
    .optional()
    .describe(
      'Issues of the goal, of the goals below it, and of the projects linked to any of them',
    ),
  parentId: id.optional(),
  approvalId: id.optional(),
  label: labelName.optional().describe('Name of a label; case is ignored'),
  q: searchText.optional().describe('Words in the identifier, title or description'),
  updatedAfter: queryTime.optional(),
};

interface Assigned {
  unassigned: 'true' | 'false';
  assigneeAgentId?: string | undefined;
  assigneeUserId?: string | undefined;
}

const fitsAssignee = (field: 'assigneeAgentId' | 'assigneeUserId') => (query: Assigned) =>
  query.unassigned === 'false' || query[field] === undefined;
const contradicts = (field: string) => ({
  path: ['unassigned'],
  message: `cannot be combined with ${field}`,
});

export const listIssuesQuery = z
  .strictObject({ ...pageQuery(), ...issueFilters })
  .refine(fitsAssignee('assigneeAgentId'), contradicts('assigneeAgentId'))
  .refine(fitsAssignee('assigneeUserId'), contradicts('assigneeUserId'));

const { sort: _, ...countedFilters } = issueFilters;

export const countIssuesQuery = z
  .strictObject(countedFilters)
  .refine(fitsAssignee('assigneeAgentId'), contradicts('assigneeAgentId'))
  .refine(fitsAssignee('assigneeUserId'), contradicts('assigneeUserId'));

export const issueBoardQuery = z
  .strictObject({ limit: pageQuery(50, 200).limit, ...issueFilters })
  .refine(fitsAssignee('assigneeAgentId'), contradicts('assigneeAgentId'))
  .refine(fitsAssignee('assigneeUserId'), contradicts('assigneeUserId'));

export const issueBoard = z.object({
  columns: z.array(
    z.object({
      status: z.enum(ISSUE_STATUSES),
      total: z.int().min(0).describe('Number of all matches, not only of this page'),
      issues: z.array(listedIssue),
      nextCursor: z
        .string()
        .nullable()
        .describe('Cursor for the list of issues with this status and the same filters and sort'),
    }),
  ),
});

export const checkoutIssueBody = z.strictObject({
  agentId: id.optional(),
  expectedStatuses: z.array(z.enum(ISSUE_STATUSES)).min(1).max(ISSUE_STATUSES.length),
});

export const endIssueBody = z.strictObject({ comment: commentBody.optional() });

const started = {
  heartbeatRunId: id
    .nullable()
    .describe(
      'Id of the waiting run that the wake is to join. Null if the wake starts a new run, which does not exist yet: follow `wakeupId`',
    ),
  wakeupId: id
    .nullable()
    .describe(
      'Id of the wake; null if none was recorded. `GET /api/companies/{companyId}/heartbeat-runs?wakeupId=…` returns the run that serves the wake, or an empty list until a worker has created the run',
    ),
};

export const mentionOutcome = z.object({
  agentId: id.nullable(),
  name: z.string(),
  /**
   * `board`: the text addresses people by `@board`, which wakes no agent. `unknown`: no agent has
   * this name, but some have similar names.
   */
  outcome: z.enum(['woken', 'coalesced', 'skipped', 'board', 'unknown']),
  /** `issue_done` or `issue_cancelled` if the woken agent cannot check the issue out. */
  reason: z.string().nullable(),
  near: z.array(z.string()).optional(),
  ...started,
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
  woken: z
    .array(mentionOutcome)
    .describe(
      'Agents that a comment by a person affects without a mention: the agents that it answers, and the assignee',
    ),
});

export const createCommentBody = z.strictObject({
  body: commentBody,
  wake: commentWake.optional(),
});

export const listIssueCommentsQuery = z.strictObject({
  ...pageQuery(),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: id.optional().describe('Id of a comment on the issue; only later comments are listed'),
});

export const listCommentsQuery = z.strictObject(pageQuery());

export const wakeOutcome = z.object({
  agentId: id,
  outcome: z.enum(['queued', 'coalesced', 'skipped']),
  reason: z.string().nullable(),
  ...started,
});

export const createdIssue = issue.extend({ woken: z.array(wakeOutcome) });

export const updatedIssue = createdIssue.extend({ comment: comment.optional() });

export type IssueSummaryView = z.infer<typeof issueSummary>;
export type ListedIssueView = z.infer<typeof listedIssue>;
export type CreatedIssueView = z.infer<typeof createdIssue>;
export type UpdatedIssueView = z.infer<typeof updatedIssue>;
export type WakeOutcome = z.infer<typeof wakeOutcome>;
export type IssueSort = (typeof ISSUE_SORTS)[number];
export type ListIssueCommentsQuery = z.infer<typeof listIssueCommentsQuery>;
export type IssueView = z.infer<typeof issue>;
export type IssueAncestorView = z.infer<typeof issueAncestor>;
export type IssueDetailView = z.infer<typeof issueDetail>;
export type CommentView = z.infer<typeof comment>;
export type MentionOutcome = z.infer<typeof mentionOutcome>;
export type GetIssueQuery = z.infer<typeof getIssueQuery>;
export type CreateIssueBody = z.infer<typeof createIssueBody>;
export type UpdateIssueBody = z.infer<typeof updateIssueBody>;
export type CreateCommentBody = z.infer<typeof createCommentBody>;
export type CheckoutIssueBody = z.infer<typeof checkoutIssueBody>;
export type EndIssueBody = z.infer<typeof endIssueBody>;
export type ListIssuesQuery = z.infer<typeof listIssuesQuery>;
export type CountIssuesQuery = z.infer<typeof countIssuesQuery>;
export type IssueBoardQuery = z.infer<typeof issueBoardQuery>;
export type IssueBoardView = z.infer<typeof issueBoard>;
