<<<<<<< HEAD
import {
  agent,
  askBoard,
  board,
  both,
  COST,
  checkOut,
  decide,
  detachRun,
  dismiss,
  endRun,
  finish,
  IMAGE,
  nearLimit,
  ofRunners,
  open,
  owner,
  PERSON,
  pause,
  type RouteRow,
  rename,
  requestRevision,
  spend,
  webhook,
} from './security-rows';

export type { RouteRow };
=======
import type { Access } from '../src/access/rules';
import type { Harness } from './harness';
import { PROTOCOL_ROWS } from './protocol-rows';
import type { Ids } from './world';

/** What the tests that walk the route table need to know of one route. */
export interface RouteRow {
  access: Access;
  /** An agent may do it for itself only; a colleague is refused with `not_own`. */
  ownOnly?: true;
  /** A body that the route accepts, made of ids of one company; absent when it takes none. */
  body?: (ids: Ids) => object;
  /** The part of a multipart request, for routes that take a file. */
  file?: { name: string; contentType: string; content: string };
  /** The answer to `body` where it is not the route's own status, as where local mode has no sign-in. */
  status?: number;
  /** The answer to ids of another company in the body where it is not 403. */
  foreignIds?: number;
  /** How many activities it records where that is not one. */
  records?: number;
  /** A change of `body` that is accepted too. */
  change?: object;
  /** True for a list in which a fresh company has nothing. */
  empty?: true;
  /** True for a list that of the members owners alone may read. */
  ownersRead?: true;
  /** True for what in authenticated mode administrators of the installation alone may do. */
  administratorsOnly?: true;
  /** True for what a person does with a browser, and with no token. */
  browserOnly?: true;
  /** Brings the company into the state in which the route succeeds. */
  prepare?: (harness: Pick<Harness, 'api' | 'build' | 'db' | 'context'>, ids: Ids) => Promise<void>;
}

const both = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({
  access: 'agent-or-board',
  ...row,
});
/** Writes that in authenticated mode owners alone may do; in local mode the board may do everything. */
const owner = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({ access: 'owner', ...row });
const open = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({ access: 'public', ...row });
const board = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({ access: 'board', ...row });
const agent = (row: Omit<RouteRow, 'access'> = {}): RouteRow => ({ access: 'agent', ...row });

const endRun: RouteRow['prepare'] = async ({ db }, { runId }) => {
  await db.heartbeatRun.update({
    where: { id: runId as string },
    data: { status: 'failed', finishedAt: new Date() },
  });
};

const detachRun: RouteRow['prepare'] = async ({ db }, { runId }) => {
  await db.heartbeatRun.update({ where: { id: runId as string }, data: { isDetached: true } });
};

const pause: RouteRow['prepare'] = async ({ api }, { agentId }) => {
  await api.post(`/api/agents/${agentId}/pause`).expect(200);
};

const rename: RouteRow['prepare'] = async ({ api }, { agentId }) => {
  await api.patch(`/api/agents/${agentId}`).send({ title: 'another' }).expect(200);
};

const webhook: RouteRow['prepare'] = async (_harness, ids) => {
  ids.triggerId = ids.webhookId as string;
};

const dismiss: RouteRow['prepare'] = async ({ api }, { companyId, itemId }) => {
  await api.post(`/api/companies/${companyId}/inbox/${itemId}/dismiss`).expect(200);
};

const requestRevision: RouteRow['prepare'] = async ({ api }, { approvalId }) => {
  await api.post(`/api/approvals/${approvalId}/request-revision`).send({}).expect(200);
};

const askBoard: RouteRow['prepare'] = async ({ api }, ids) => {
  const question = { type: 'board_question', payload: { title: 'Ship?' } };
  const path = `/api/companies/${ids.companyId}/approvals`;
  ids.approvalId = (await api.post(path).send(question).expect(201)).body.id;
};

const finish: RouteRow['prepare'] = async ({ api }, { issueId }) => {
  await api.patch(`/api/issues/${issueId}`).send({ status: 'cancelled' }).expect(200);
};

const decide = () =>
  board({ body: () => ({ decisionNote: 'because' }), change: { decisionNote: 'why not' } });

const checkOut: RouteRow['prepare'] = async ({ api }, { agentId, issueId }) => {
  const claim = { agentId, expectedStatuses: ['backlog'] };
  await api.post(`/api/issues/${issueId}/checkout`).send(claim).expect(200);
};

const COST = { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 4, costCents: 5 };

const spend: RouteRow['prepare'] = async ({ api }, { companyId, agentId }) => {
  await api
    .post(`/api/companies/${companyId}/cost-events`)
    .send({ ...COST, agentId })
    .expect(201);
};

const nearLimit: RouteRow['prepare'] = async (harness, ids) => {
  const budget = { budgetMonthlyCents: COST.costCents + 1 };
  await harness.api.patch(`/api/agents/${ids.agentId}`).send(budget).expect(200);
  await spend(harness, ids);
};

const IMAGE = {
  name: 'image.svg',
  contentType: 'image/svg+xml',
  content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
const PERSON = { email: 'somebody@example.com', name: 'Somebody' };
>>>>>>> work/protocol

/** One row a route, in the order of the specification; a route without a row fails the tests. */
export const SECURITY_TABLE: Record<string, RouteRow> = {
  'GET /api/companies': both(),
  'GET /api/companies/:companyId': both(),
  'POST /api/companies': board({
    browserOnly: true,
    administratorsOnly: true,
    body: () => ({ name: 'Acme' }),
    change: { name: 'Other' },
  }),
  'POST /api/demo-companies': board({
    browserOnly: true,
    administratorsOnly: true,
    records: 8,
  }),
  'PATCH /api/companies/:companyId': owner({ body: () => ({ description: 'changed' }) }),
  'POST /api/companies/:companyId/archive': owner(),

  'POST /api/companies/:companyId/logo': owner({ file: IMAGE }),

  'GET /api/companies/:companyId/goals': both(),
  'GET /api/goals/:goalId': both(),
  'POST /api/companies/:companyId/goals': both({
    body: ({ agentId, goalId }) => ({ title: 'Goal', parentId: goalId, ownerAgentId: agentId }),
    change: { title: 'Other' },
  }),
  'PATCH /api/goals/:goalId': both({ body: ({ agentId }) => ({ ownerAgentId: agentId }) }),

  'GET /api/companies/:companyId/projects': both(),
  'GET /api/projects/:projectId': both(),
  'POST /api/companies/:companyId/projects': both({
    body: ({ agentId, goalId }) => ({
      name: 'Another',
      goalIds: [goalId],
      leadAgentId: agentId,
      workspace: { cwd: '/srv/project' },
    }),
    change: { name: 'Other' },
  }),
  'PATCH /api/projects/:projectId': both({
    body: ({ agentId, goalId }) => ({ leadAgentId: agentId, goalIds: [goalId] }),
  }),
  'POST /api/projects/:projectId/workspaces': both({
    body: () => ({ repoUrl: 'https://example.com/other', isPrimary: true }),
    change: { isPrimary: false },
  }),
  'GET /api/projects/:projectId/workspaces': both(),
  'PATCH /api/projects/:projectId/workspaces/:workspaceId': both({
    body: () => ({ cwd: '/srv/changed' }),
  }),
  'DELETE /api/projects/:projectId/workspaces/:workspaceId': both(),

  'GET /api/adapters': both(),
  'GET /api/companies/:companyId/agents': both(),
  'GET /api/agents/:agentId': both(),
  'GET /api/agents/me': agent(),
  // The agents of these tests are served by workers.
  'GET /api/agents/me/wakes': agent({ status: 409 }),
  'POST /api/companies/:companyId/agents': board({
    body: ({ colleagueId }) => ({
      name: 'Somebody else',
      adapterType: 'scripted',
      reportsTo: colleagueId,
    }),
    change: { name: 'Nobody' },
  }),
  'PATCH /api/agents/:agentId': both({ ownOnly: true, body: () => ({ title: 'changed' }) }),
  'POST /api/agents/:agentId/pause': board(),
  'POST /api/agents/:agentId/resume': board({ prepare: pause }),
  'POST /api/agents/:agentId/terminate': board(),
  'GET /api/agents/:agentId/keys': board(),
  'POST /api/agents/:agentId/keys': board({
    body: () => ({ name: 'another' }),
    change: { name: 'one more' },
  }),
  'DELETE /api/agents/:agentId/keys/:keyId': board(),
  'POST /api/agents/:agentId/heartbeat/invoke': both({
    ownOnly: true,
    body: ({ issueId }) => ({ reason: 'because', issueId }),
    change: { reason: 'why not' },
  }),
  'POST /api/agents/:agentId/check': both({ ownOnly: true }),
  'GET /api/companies/:companyId/org': both(),
  'GET /api/companies/:companyId/adapters/:adapterType/models': both({ empty: true }),
  'GET /api/agents/:agentId/config-revisions': board(),
  'POST /api/agents/:agentId/config-revisions/:revisionId/rollback': board({ prepare: rename }),

  'GET /api/companies/:companyId/approvals': both(),
  'GET /api/approvals/:approvalId': both(),
  'POST /api/companies/:companyId/approvals': both({
    body: ({ agentId, issueId }) => ({
      type: 'approve_ceo_strategy',
      requestedByAgentId: agentId,
      payload: { plan: 'grow' },
      issueIds: [issueId],
    }),
    change: { payload: { plan: 'shrink' } },
  }),
  'POST /api/companies/:companyId/agent-hires': both({
    body: ({ agentId, issueId }) => ({
      name: 'Newcomer',
      reportsTo: agentId,
      issueIds: [issueId],
    }),
    change: { name: 'Another' },
  }),
  'POST /api/approvals/:approvalId/approve': decide(),
  'POST /api/approvals/:approvalId/reject': decide(),
  'POST /api/approvals/:approvalId/request-revision': decide(),
  'POST /api/approvals/:approvalId/answer': board({
    prepare: askBoard,
    body: () => ({ note: 'Yes' }),
    change: { note: 'No' },
  }),
  'POST /api/approvals/:approvalId/resubmit': both({
    ownOnly: true,
    prepare: requestRevision,
    body: () => ({ payload: { plan: 'rest' } }),
    change: { payload: { plan: 'work' } },
  }),
  'GET /api/approvals/:approvalId/issues': both(),
  'GET /api/approvals/:approvalId/comments': both(),
  'POST /api/approvals/:approvalId/comments': both({
    body: () => ({ body: 'Hello' }),
    change: { body: 'Bye' },
  }),

  'GET /api/companies/:companyId/issues': both(),
  'GET /api/companies/:companyId/issues/counts': both(),
  'GET /api/companies/:companyId/issues/board': both(),
  'GET /api/issues/:issueId': both(),
  'GET /api/issues/:issueId/thread': both(),
  'POST /api/issues/:issueId/comments/preview': both({
    body: () => ({ body: 'Done?' }),
    change: { body: 'When?' },
  }),
  'POST /api/companies/:companyId/issues': both({
    body: ({ agentId, issueId, projectId, goalId }) => ({
      title: 'Another',
      assigneeAgentId: agentId,
      parentId: issueId,
      projectId,
      goalId,
    }),
    change: { title: 'Other' },
  }),
  'PATCH /api/issues/:issueId': both({
    body: ({ agentId, goalId }) => ({ title: 'changed', assigneeAgentId: agentId, goalId }),
  }),
  'POST /api/issues/:issueId/checkout': both({
    body: ({ agentId }) => ({ agentId, expectedStatuses: ['backlog'] }),
    change: { expectedStatuses: ['todo'] },
  }),
  'POST /api/issues/:issueId/release': both({ prepare: checkOut }),
  'POST /api/issues/:issueId/complete': board({
    body: () => ({}),
    change: { comment: 'Over' },
  }),
  'POST /api/issues/:issueId/reopen': board({
    prepare: finish,
    body: () => ({}),
    change: { comment: 'Once more' },
  }),
  'GET /api/issues/:issueId/comments': both(),
  'POST /api/issues/:issueId/comments': both({
    body: () => ({ body: 'Hello' }),
    change: { body: 'Bye' },
  }),

  'GET /api/issues/:issueId/comments/:commentId': both(),
  'GET /api/issues/:issueId/approvals': both(),
  'GET /api/companies/:companyId/labels': both(),
  'PATCH /api/labels/:labelId': board({ body: () => ({ color: '#1f6feb' }) }),
  'DELETE /api/labels/:labelId': board(),
  'GET /api/companies/:companyId/search': both({ empty: true }),

  'GET /api/issues/:issueId/documents': both(),
  'GET /api/issues/:issueId/documents/:key': both(),
  'PUT /api/issues/:issueId/documents/:key': both({
    body: ({ documentRevisionId }) => ({
      title: 'Plan',
      format: 'markdown',
      body: 'changed',
      baseRevisionId: documentRevisionId,
    }),
    foreignIds: 409,
  }),
  'GET /api/issues/:issueId/documents/:key/revisions': both(),
  'DELETE /api/issues/:issueId/documents/:key': board(),

  'POST /api/companies/:companyId/issues/:issueId/attachments': both({ file: IMAGE }),
  'GET /api/issues/:issueId/attachments': both(),
  'GET /api/attachments/:attachmentId/content': both(),
  'DELETE /api/attachments/:attachmentId': both(),
  'GET /api/assets/:assetId/content': both(),

  'GET /api/companies/:companyId/routines': both(),
  'GET /api/routines/:routineId': both(),
  'POST /api/companies/:companyId/routines': both({
    body: ({ agentId, projectId, goalId, issueId }) => ({
      title: 'Routine',
      assigneeAgentId: agentId,
      projectId,
      goalId,
      parentIssueId: issueId,
    }),
    change: { title: 'Other' },
  }),
  'PATCH /api/routines/:routineId': both({ ownOnly: true, body: () => ({ title: 'changed' }) }),
  'POST /api/routines/:routineId/triggers': both({
    ownOnly: true,
    body: () => ({ kind: 'schedule', cronExpression: '0 9 * * *' }),
    change: { timezone: 'Europe/Berlin' },
  }),
  'GET /api/companies/:companyId/schedule-preview': both({ status: 400 }),
  'GET /api/routines/:routineId/triggers/:triggerId/preview': both(),
  'PATCH /api/routine-triggers/:triggerId': both({
    ownOnly: true,
    body: () => ({ enabled: false }),
  }),
  'DELETE /api/routine-triggers/:triggerId': both({ ownOnly: true }),
  'POST /api/routine-triggers/:triggerId/rotate-secret': both({ ownOnly: true, prepare: webhook }),
  'POST /api/routines/:routineId/run': both({
    ownOnly: true,
    body: ({ triggerId }) => ({ source: 'manual', triggerId, payload: { n: 1 } }),
    change: { payload: { n: 2 } },
  }),
  'POST /api/routine-triggers/public/:publicId/fire': { access: 'webhook', status: 401 },
  'GET /api/routines/:routineId/runs': both(),
  'GET /api/routines/:routineId/runs/:routineRunId': both(),

  'GET /api/companies/:companyId/heartbeat-runs': both(),
  'POST /api/companies/:companyId/heartbeat-runs/cancel': board({
    body: ({ runId }) => ({ runIds: [runId] }),
    foreignIds: 200,
  }),
  'POST /api/companies/:companyId/heartbeat-runs/retry': board({
    body: ({ runId }) => ({ runIds: [runId] }),
    foreignIds: 200,
    prepare: endRun,
  }),
  'GET /api/heartbeat-runs/:runId': both(),
  'GET /api/heartbeat-runs/:runId/log': both(),
  'GET /api/heartbeat-runs/:runId/log/events': both(),
  'GET /api/heartbeat-runs/:runId/log/search': both(),
  'POST /api/heartbeat-runs/:runId/cancel': board(),
  'POST /api/heartbeat-runs/:runId/retry': board({ prepare: endRun }),
  'POST /api/heartbeat-runs/:runId/finish': agent({
    ownOnly: true,
    body: () => ({ status: 'succeeded' }),
    change: { status: 'failed' },
    prepare: detachRun,
  }),

  'POST /api/companies/:companyId/cost-events': both({
    ownOnly: true,
    body: ({ agentId, issueId, projectId, runId }) => ({
      ...COST,
      agentId,
      issueId,
      projectId,
      runId,
    }),
    change: { costCents: 6 },
  }),
  'GET /api/companies/:companyId/costs/summary': both(),
  'GET /api/companies/:companyId/costs/by-agent': both(),
  'GET /api/companies/:companyId/costs/by-project': both({ prepare: spend }),
  'GET /api/companies/:companyId/cost-events': both({ prepare: spend }),
  'GET /api/companies/:companyId/costs/by-day': both({ prepare: spend }),
  'GET /api/companies/:companyId/costs/by-provider': both({ prepare: spend }),
  'GET /api/companies/:companyId/costs/by-model': both({ prepare: spend }),
  'GET /api/companies/:companyId/costs/by-issue': both({ prepare: spend }),
  'GET /api/companies/:companyId/costs/by-run': both({ prepare: spend }),
  'GET /api/companies/:companyId/costs/limits': both({ prepare: nearLimit }),

  'GET /api/companies/:companyId/secrets': board(),
  'POST /api/companies/:companyId/secrets': board({
    body: () => ({ name: 'ANOTHER', value: 'value', description: null }),
    change: { value: 'other' },
  }),
  'GET /api/secrets/:secretId': board(),
  'DELETE /api/secrets/:secretId': board(),
  'PATCH /api/secrets/:secretId': board({ body: () => ({ value: 'changed' }) }),

  'POST /api/companies/:companyId/runners': owner({
    browserOnly: true,
    body: () => ({ name: 'Another', labels: ['gpu'] }),
    change: { labels: [] },
  }),
  'GET /api/companies/:companyId/runners': board(),
  'DELETE /api/companies/:companyId/runners/:runnerId': owner(),
<<<<<<< HEAD
  'POST /api/runner/hello': ofRunners(({ runnerId }) => ({
    name: 'desk',
    instance: runnerId,
    labels: ['gpu'],
    capacity: 4,
    sandbox: { driver: 'off', detail: '' },
    probes: [{ adapterType: 'process', found: true, message: 'there' }],
  })),
  'POST /api/runner/next': ofRunners(({ runnerId, runId }) => ({
    instance: runnerId,
    free: 1,
    running: [runId],
    checks: 1,
    waitMs: 0,
  })),
  'POST /api/runner/leases': ofRunners(({ runnerId, runId }) => ({
    instance: runnerId,
    runs: [{ runId, epoch: 1 }],
  })),
  'POST /api/runner/folders': ofRunners(({ runId }) => ({ runIds: [runId], agentIds: [] })),
  'POST /api/runner/runs/:runId/log': ofRunners(),
  'POST /api/runner/runs/:runId/usage': ofRunners(() => ({ seq: 1, usage: COST })),
  'PUT /api/runner/runs/:runId/session': ofRunners(() => ({ id: 'talk', directory: '/tmp' })),
  'POST /api/runner/runs/:runId/end': ofRunners(() => ({
    outcome: { status: 'succeeded', exitCode: 0 },
  })),
  'POST /api/runner/runs/:runId/release': ofRunners(() => ({ isFault: false })),
  'POST /api/runner/checks/:checkId': ofRunners(() => ({ findings: [] })),
=======
  ...PROTOCOL_ROWS,
>>>>>>> work/protocol

  'GET /api/companies/:companyId/activity': both(),
  'GET /api/companies/:companyId/events': both(),
  'GET /api/companies/:companyId/changes': board(),
  'GET /api/companies/:companyId/dashboard': both(),
  'GET /api/companies/:companyId/overview': both(),
  'GET /api/companies/:companyId/views': board(),
  'POST /api/companies/:companyId/views': board({
    body: () => ({ name: 'Mine', screen: 'issues', query: 'status=todo' }),
    change: { query: 'status=done' },
  }),
  'PATCH /api/views/:viewId': board({ body: () => ({ query: 'status=blocked' }) }),
  'DELETE /api/views/:viewId': board(),
  'GET /api/companies/:companyId/inbox': board(),
  'GET /api/companies/:companyId/inbox/counts': board(),
  'POST /api/companies/:companyId/inbox/:itemId/snooze': board({
    body: () => ({ until: '2099-01-01T00:00:00Z' }),
    change: { until: '2098-01-01T00:00:00Z' },
  }),
  'POST /api/companies/:companyId/inbox/:itemId/dismiss': board(),
  'DELETE /api/companies/:companyId/inbox/:itemId/snooze': board({ prepare: dismiss }),
  'DELETE /api/companies/:companyId/inbox/:itemId/dismiss': board({ prepare: dismiss }),

  'POST /api/auth/bootstrap': open({
    body: () => ({ token: 'x'.repeat(43), ...PERSON, password: 'a long password' }),
    status: 409,
  }),
  'POST /api/auth/login': open({
    body: () => ({ email: PERSON.email, password: 'a long password' }),
    status: 409,
  }),
  'POST /api/auth/logout': open({ status: 409 }),
  'GET /api/auth/session': both(),
  'POST /api/auth/password': board({
    browserOnly: true,
    body: () => ({ currentPassword: 'a long password', newPassword: 'another long password' }),
    status: 409,
  }),
  'GET /api/auth/sessions': board({ browserOnly: true, empty: true }),
  'DELETE /api/auth/sessions': board({ browserOnly: true, status: 409 }),
  'DELETE /api/auth/sessions/:sessionId': board({ browserOnly: true, status: 409 }),
  'GET /api/auth/tokens': board({ browserOnly: true, empty: true }),
  'POST /api/auth/tokens': board({
    browserOnly: true,
    body: () => ({ name: 'token', scope: 'read' }),
    change: { name: 'other' },
    status: 409,
  }),
  'DELETE /api/auth/tokens': board({ browserOnly: true, status: 409 }),
  'DELETE /api/auth/tokens/:tokenId': board({ browserOnly: true, status: 409 }),
  'POST /api/auth/invites/:token/accept': open({ body: () => ({}), status: 409 }),
  'GET /api/companies/:companyId/members': board(),
  'PATCH /api/companies/:companyId/members/:memberId': owner({
    browserOnly: true,
    body: () => ({ role: 'viewer' }),
    status: 409,
  }),
  'DELETE /api/companies/:companyId/members/:memberId': owner({ browserOnly: true, status: 409 }),
  'GET /api/companies/:companyId/invites': owner({ ownersRead: true }),
  'DELETE /api/companies/:companyId/invites/:inviteId': owner({ browserOnly: true, status: 409 }),
  'POST /api/companies/:companyId/invites': owner({
    browserOnly: true,
    body: () => ({ role: 'viewer' }),
    status: 409,
  }),

  'GET /api/openapi.json': open(),
  'GET /api/docs': open(),
  'GET /api/agent-guide': open(),
};
