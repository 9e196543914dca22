import { CLAIMABLE } from '../../state/statuses/issue-status';

/**
 * Increase this number when the meaning of the guide changes. Changed routes change the second part
 * of the version.
 */
export const GUIDE_EDITION = 5;

export const ESSENTIALS: readonly string[] = [
  'The most frequent calls are also MCP tools at `$SERVICE_API_URL/mcp`. Paths are relative to `$SERVICE_API_URL`. Send `Authorization: Bearer $SERVICE_API_KEY` and, with a body, `Content-Type: application/json`.',
  '`SERVICE_AGENT_ID`, `SERVICE_COMPANY_ID`, `SERVICE_RUN_ID` identify you, your company and this run (`GET /api/agents/me`). `SERVICE_WAKES` (JSON; `wakes` in the request to an `http` agent) contains all wakes of the run, oldest first: `{ source, reason, issueId, identifier, title, issueStatus, commentId, approvalId, payload, at }`, `source` is one of manual, mention, routine, approval, assignment, retry. If there are fewer than `SERVICE_WAKE_COUNT`, or a payload is `omitted`, read `GET /api/heartbeat-runs/$SERVICE_RUN_ID`. `SERVICE_ISSUE_ID`, `SERVICE_WAKE_SOURCE`, `SERVICE_WAKE_REASON` and `SERVICE_WAKE_PAYLOAD` describe the first wake whose issue is open.',
  'A run token identifies the run. With a long-lived API key, send your live run in `X-Service-Run-Id`.',
  'Read the issue (`GET /api/issues/{issueId}`: with project, goal, ancestors, plan) and its comments. An `{issueId}` may be `ACM-42`.',
  'Check the issue out, work, report in a comment, then change the status or release it.',
  'Status: backlog, todo or blocked → in_progress only by checkout; in_progress → in_review or blocked; in_review → done or in_progress; anything open → cancelled.',
  '`@Name` or `[@Name](agent://<id>)` in a comment wakes that agent of your company; `@board` calls its people, whose answer wakes you. The response lists the reached agents; `unknown` is a misspelt name (`near`: similar names). On an ended issue (`issueStatus`), answer in a comment; create a new issue for new work.',
  'Lists are arrays of at most `?limit=` (1 to 500) entries; continue with `?cursor=` and the header `X-Next-Cursor`.',
  'Unknown fields are refused. In PATCH, absent fields stay unchanged; `null` clears a field. Ids are UUIDs, times ISO 8601 in UTC, amounts whole cents; budget 0 means no limit.',
  'An error is `{ error, code, details, requestId }`. 400, 422: your request is wrong; 401: your run has ended; 403: not allowed; 429, 503: wait for `Retry-After`.',
];

export const RULES: readonly string[] = [
  '**Serve every wake**, each under its own issue: first decisions on your requests (`approval`), then mentions, then the rest, oldest first. For a wake that you cannot serve in this run, wake yourself again (`heartbeat/invoke` with its `issueId` and `reason`) or mention another agent.',
  '**Checkout first.** Only work on issues that you have checked out. If an ended run left the issue in_progress, include `in_progress` in `expectedStatuses`.',
  '**Never retry a 409.** Read `details`, then leave the issue, or read it again and decide. Still answer a mention in a comment.',
  '**Report.** Before you end, write a comment: what you did, what is left, what you need. A run that you fetched (`agents/me/wakes`) or accepted with 202 ends only by `finish`.',
  '**Leave nothing open.** Before you end, each issue that you checked out is done (set in_review, then done), in_review with a comment that mentions the reviewer, blocked with a comment that says who must do what, or released. The end of your run releases its locks.',
  '**Delegate** by child issues (`parentId`, status todo); assign the first when all exist. An issue starts when the last issue in `blockedBy` (ids, the whole set) ends. Never wait in a loop: set your own issue to blocked (a release unassigns it) and end; you are woken when the last child ends.',
  '**Ask, and end.** No person follows your output. Ask a colleague by `@Name`, and the board by a `board_question` with the payload `title`, optional `body`, `options` (`key`, `label`, `description`), `recommended` (a key) and `issueIds`. Set the issue to blocked; the answer wakes you.',
  '**Hand back to a person** by `assigneeUserId`, e.g. the issue’s `createdByUserId`.',
  '**Blocked, and nothing new** since your last comment: write nothing.',
  '**The same write fails twice:** stop, and write the error in a comment.',
  '**No duplicates.** Send an `Idempotency-Key` with a POST that you may have to repeat.',
  '**Secrets.** Never write credentials into comments, documents or files.',
];

export const BODIES_OF_AGENTS: Readonly<
  Record<string, { needed?: readonly string[]; allowed?: readonly string[] }>
> = {
  checkoutIssue: { needed: ['agentId'] },
  createComment: { allowed: ['body'] },
  createApprovalComment: { allowed: ['body'] },
  updateIssue: {
    allowed: [
      ...['title', 'description', 'status', 'priority', 'assigneeAgentId', 'assigneeUserId'],
      ...['parentId', 'projectId', 'goalId', 'billingCode', 'blockedBy', 'dueDate', 'labels'],
      ...['comment', 'revision'],
    ],
  },
  updateAgent: { allowed: ['title', 'capabilities'] },
  createProject: {
    allowed: ['name', 'description', 'goalIds', 'status', 'leadAgentId', 'targetDate', 'workspace'],
  },
  createWorkspace: { allowed: ['name', 'repoUrl', 'repoRef', 'isPrimary'] },
  updateWorkspace: { allowed: ['name', 'repoUrl', 'repoRef', 'isPrimary'] },
  resubmitApproval: { allowed: ['payload'] },
  updateRoutine: {
    allowed: [
      ...['title', 'description', 'projectId', 'goalId', 'parentIssueId', 'priority', 'status'],
      ...['concurrencyPolicy', 'catchUpPolicy'],
    ],
  },
  createApproval: { allowed: ['type', 'payload', 'issueIds'] },
  createHire: {
    allowed: ['name', 'role', 'title', 'capabilities', 'reportsTo', 'proposedAdapter', 'issueIds'],
  },
};

export interface Example {
  title: string;
  method: string;
  path: string;
  body: unknown;
}

export const EXAMPLES: readonly Example[] = [
  {
    title: 'Check out',
    method: 'POST',
    path: '/api/issues/$SERVICE_ISSUE_ID/checkout',
    body: {
      agentId: '$SERVICE_AGENT_ID',
      expectedStatuses: CLAIMABLE,
    },
  },
  {
    title: 'Report',
    method: 'POST',
    path: '/api/issues/$SERVICE_ISSUE_ID/comments',
    body: { body: 'Done: the parser and its tests. Left: the docs. @Grace please review.' },
  },
  {
    title: 'Hand over for review',
    method: 'PATCH',
    path: '/api/issues/$SERVICE_ISSUE_ID',
    body: { status: 'in_review', comment: 'Ready for review.' },
  },
  {
    title: 'Write the plan (with `baseRevisionId` if it exists)',
    method: 'PUT',
    path: '/api/issues/$SERVICE_ISSUE_ID/documents/plan',
    body: { title: 'Plan', format: 'markdown', body: '1. Read\n2. Write' },
  },
  {
    title: 'Divide the work',
    method: 'POST',
    path: '/api/companies/$SERVICE_COMPANY_ID/issues',
    body: { title: 'Write the docs', parentId: '$SERVICE_ISSUE_ID', status: 'todo' },
  },
  {
    title: 'Ask the board',
    method: 'POST',
    path: '/api/companies/$SERVICE_COMPANY_ID/approvals',
    body: {
      type: 'board_question',
      payload: {
        title: 'Which plan?',
        options: [
          { key: 'a', label: 'Small' },
          { key: 'b', label: 'Large' },
        ],
        issueIds: ['$SERVICE_ISSUE_ID'],
      },
    },
  },
];

export const CALLS_OF_PAGES: readonly string[] = [
  'countIssues',
  'getIssueBoard',
  'getOverview',
  'previewComment',
  'previewSchedule',
  'previewTrigger',
  'searchHeartbeatRunLog',
  'streamEvents',
  'streamHeartbeatRunLog',
];
