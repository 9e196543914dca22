import { PEOPLE_ROWS } from './people-security';
import { ROUTINE_ROWS } from './routine-security';
import { RUNNER_ROWS } from './runner-security';
import {
  agent,
  archive,
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
  open,
  owner,
  pause,
  type RouteRow,
  rename,
  requestRevision,
  spend,
} from './security-rows';

export type { RouteRow };

/** One row per route, in the order of the specification; a route without a row fails the tests. */
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
  'POST /api/companies/:companyId/archive': owner({ ownCompany: true }),
  'DELETE /api/companies/:companyId': owner({
    browserOnly: true,
    prepare: archive,
    body: ({ companyName }) => ({ name: companyName }),
    foreignIds: 400,
  }),

  'GET /api/companies/:companyId/export': board(),
  'POST /api/companies/:companyId/import': owner({
    body: () => ({
      files: [{ path: 'labels/new.md', content: '---\nname: New\n---\n' }],
    }),
  }),

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
      workspace: { repoUrl: 'https://example.com/project' },
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
    body: () => ({ repoUrl: 'https://example.com/changed' }),
  }),
  'DELETE /api/projects/:projectId/workspaces/:workspaceId': both(),
  'POST /api/projects/:projectId/workspaces/:workspaceId/check': board({
    body: ({ agentId }) => ({ agentId }),
    change: { agentId: undefined },
  }),

  'GET /api/adapters': both(),
  'GET /api/companies/:companyId/agents': both(),
  'GET /api/agents/:agentId': both(),
  'GET /api/agents/me': agent(),
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
  'POST /api/agents/:agentId/pause': board({ ownCompany: true }),
  'POST /api/agents/:agentId/resume': board({ prepare: pause }),
  'POST /api/agents/:agentId/terminate': board({ ownCompany: true }),
  'GET /api/agents/:agentId/keys': board(),
  'POST /api/agents/:agentId/keys': board({
    browserOnly: true,
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
  'PATCH /api/approvals/:approvalId': board({
    body: () => ({ deadlineAt: new Date(Date.now() + 86_400_000).toISOString() }),
  }),
  'POST /api/approvals/:approvalId/withdraw': both({
    ownOnly: true,
    body: () => ({ reason: 'found it' }),
    change: { reason: 'solved' },
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
    ownCompany: true,
    body: ({ agentId }) => ({ agentId, expectedStatuses: ['backlog'] }),
    change: { expectedStatuses: ['todo'] },
  }),
  'POST /api/issues/:issueId/release': both({ prepare: checkOut }),
  'POST /api/issues/:issueId/complete': board({
    ownCompany: true,
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

  ...ROUTINE_ROWS,

  'GET /api/companies/:companyId/heartbeat-runs': both(),
  'POST /api/companies/:companyId/heartbeat-runs/cancel': board({
    ownCompany: true,
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
  'POST /api/heartbeat-runs/:runId/cancel': board({ ownCompany: true }),
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
  'GET /api/companies/:companyId/run-limits': both(),
  'POST /api/companies/:companyId/run-limits': board({
    body: () => ({ key: 'deploy', maxRunning: 2 }),
    change: { maxRunning: 3 },
  }),
  'PATCH /api/companies/:companyId/run-limits/:runLimitId': board({
    body: () => ({ isPaused: true }),
  }),
  'DELETE /api/companies/:companyId/run-limits/:runLimitId': board(),
  'GET /api/companies/:companyId/spend-caps': both(),
  'POST /api/companies/:companyId/spend-caps': board({
    body: ({ projectId }) => ({ scope: 'project', scopeId: projectId, period: 'day', cents: 5 }),
    change: { cents: 6 },
  }),
  'PATCH /api/companies/:companyId/spend-caps/:spendCapId': board({ body: () => ({ cents: 7 }) }),
  'DELETE /api/companies/:companyId/spend-caps/:spendCapId': board(),

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
  ...RUNNER_ROWS,
  'GET /api/companies/:companyId/activity': both(),
  'GET /api/companies/:companyId/events': both(),
  'GET /api/companies/:companyId/changes': board(),
  'GET /api/companies/:companyId/dashboard': both(),
  'GET /api/companies/:companyId/overview': both(),
  'GET /api/companies/:companyId/endpoints': board(),
  'POST /api/companies/:companyId/endpoints': board({
    body: () => ({ url: 'https://example.com/hook' }),
    change: { url: 'https://example.com/other' },
  }),
  'GET /api/endpoints/:endpointId': board(),
  'PATCH /api/endpoints/:endpointId': board({ body: () => ({ description: 'changed' }) }),
  'POST /api/endpoints/:endpointId/rotate-secret': board(),
  'POST /api/endpoints/:endpointId/test': board(),
  'POST /api/endpoints/:endpointId/replay': board({
    body: () => ({ since: '2026-01-01T00:00:00Z' }),
    change: { since: '2026-01-02T00:00:00Z' },
  }),
  'GET /api/endpoints/:endpointId/deliveries': board(),
  'GET /api/deliveries/:deliveryId': board(),
  'POST /api/deliveries/:deliveryId/send': board(),
  'DELETE /api/endpoints/:endpointId': board(),
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
    ownCompany: true,
    body: () => ({ until: '2099-01-01T00:00:00Z' }),
    change: { until: '2098-01-01T00:00:00Z' },
  }),
  'POST /api/companies/:companyId/inbox/:itemId/dismiss': board({ ownCompany: true }),
  'DELETE /api/companies/:companyId/inbox/:itemId/snooze': board({ prepare: dismiss }),
  'DELETE /api/companies/:companyId/inbox/:itemId/dismiss': board({ prepare: dismiss }),

  ...PEOPLE_ROWS,

  'GET /api/openapi.json': open(),
  'GET /api/docs': open(),
  'GET /api/agent-guide': open(),
};
