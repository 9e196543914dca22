export interface SpecifiedEndpoint {
  method: string;
  path: string;
  /** False while the part of the product that it belongs to does not exist. */
  built: boolean;
}

type Row = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`;

const endpoints = (built: boolean, rows: Row[]): SpecifiedEndpoint[] =>
  rows.map((row) => {
    const [method, path] = row.split(' ') as [string, string];
    return { method, path, built };
  });

/** Every row of the specification's section "Endpoints", in its order and with its parameter names. */
export const SPECIFIED_ENDPOINTS: SpecifiedEndpoint[] = [
  // Companies
  ...endpoints(true, [
    'GET /api/companies',
    'GET /api/companies/{companyId}',
    'POST /api/companies',
    'PATCH /api/companies/{companyId}',
    'POST /api/companies/{companyId}/logo',
    'POST /api/companies/{companyId}/archive',
  ]),
  // Goals
  ...endpoints(true, [
    'GET /api/companies/{companyId}/goals',
    'GET /api/goals/{goalId}',
    'POST /api/companies/{companyId}/goals',
    'PATCH /api/goals/{goalId}',
  ]),
  // Projects and workspaces
  ...endpoints(true, [
    'GET /api/companies/{companyId}/projects',
    'GET /api/projects/{projectId}',
    'POST /api/companies/{companyId}/projects',
    'PATCH /api/projects/{projectId}',
    'POST /api/projects/{projectId}/workspaces',
    'GET /api/projects/{projectId}/workspaces',
    'PATCH /api/projects/{projectId}/workspaces/{workspaceId}',
    'DELETE /api/projects/{projectId}/workspaces/{workspaceId}',
  ]),
  // Agents
  ...endpoints(true, [
    'GET /api/companies/{companyId}/agents',
    'GET /api/agents/{agentId}',
    'GET /api/agents/me',
    'POST /api/companies/{companyId}/agents',
    'PATCH /api/agents/{agentId}',
    'POST /api/agents/{agentId}/pause',
    'POST /api/agents/{agentId}/resume',
    'POST /api/agents/{agentId}/terminate',
    'POST /api/agents/{agentId}/keys',
    'POST /api/agents/{agentId}/heartbeat/invoke',
    'GET /api/companies/{companyId}/org',
    'GET /api/companies/{companyId}/adapters/{adapterType}/models',
    'GET /api/agents/{agentId}/config-revisions',
    'POST /api/agents/{agentId}/config-revisions/{revisionId}/rollback',
  ]),
  // Approvals
  ...endpoints(true, [
    'GET /api/companies/{companyId}/approvals',
    'GET /api/approvals/{approvalId}',
    'POST /api/companies/{companyId}/approvals',
    'POST /api/companies/{companyId}/agent-hires',
    'POST /api/approvals/{approvalId}/approve',
    'POST /api/approvals/{approvalId}/reject',
    'POST /api/approvals/{approvalId}/request-revision',
    'POST /api/approvals/{approvalId}/resubmit',
    'GET /api/approvals/{approvalId}/issues',
    'GET /api/approvals/{approvalId}/comments',
    'POST /api/approvals/{approvalId}/comments',
  ]),
  // Issues
  ...endpoints(true, [
    'GET /api/companies/{companyId}/issues',
    'GET /api/issues/{issueId}',
    'POST /api/companies/{companyId}/issues',
    'PATCH /api/issues/{issueId}',
    'POST /api/issues/{issueId}/checkout',
    'POST /api/issues/{issueId}/release',
    'GET /api/issues/{issueId}/comments',
    'POST /api/issues/{issueId}/comments',
    'GET /api/issues/{issueId}/documents',
    'GET /api/issues/{issueId}/documents/{key}',
    'PUT /api/issues/{issueId}/documents/{key}',
    'GET /api/issues/{issueId}/documents/{key}/revisions',
    'DELETE /api/issues/{issueId}/documents/{key}',
    'POST /api/companies/{companyId}/issues/{issueId}/attachments',
    'GET /api/issues/{issueId}/attachments',
    'GET /api/attachments/{attachmentId}/content',
    'DELETE /api/attachments/{attachmentId}',
  ]),
  // Routines
  ...endpoints(true, [
    'GET /api/companies/{companyId}/routines',
    'GET /api/routines/{routineId}',
    'POST /api/companies/{companyId}/routines',
    'PATCH /api/routines/{routineId}',
    'POST /api/routines/{routineId}/triggers',
    'PATCH /api/routine-triggers/{triggerId}',
    'DELETE /api/routine-triggers/{triggerId}',
    'POST /api/routine-triggers/{triggerId}/rotate-secret',
    'POST /api/routines/{routineId}/run',
    'POST /api/routine-triggers/public/{publicId}/fire',
    'GET /api/routines/{routineId}/runs',
  ]),
  // Costs and budgets
  ...endpoints(true, [
    'POST /api/companies/{companyId}/cost-events',
    'GET /api/companies/{companyId}/costs/summary',
    'GET /api/companies/{companyId}/costs/by-agent',
    'GET /api/companies/{companyId}/costs/by-project',
  ]),
  // Secrets
  ...endpoints(true, [
    'GET /api/companies/{companyId}/secrets',
    'POST /api/companies/{companyId}/secrets',
    'PATCH /api/secrets/{secretId}',
  ]),
];

/** The endpoints beyond the specification that this product promises, beside the probes. */
export const FURTHER_ENDPOINTS: SpecifiedEndpoint[] = [
  ...endpoints(true, [
    'POST /api/demo-companies',
    'GET /api/agents/{agentId}/keys',
    'DELETE /api/agents/{agentId}/keys/{keyId}',
    'POST /api/issues/{issueId}/complete',
    'POST /api/issues/{issueId}/reopen',
    'POST /api/approvals/{approvalId}/answer',
    'GET /api/companies/{companyId}/heartbeat-runs',
    'POST /api/companies/{companyId}/heartbeat-runs/cancel',
    'POST /api/companies/{companyId}/heartbeat-runs/retry',
    'GET /api/heartbeat-runs/{runId}',
    'GET /api/heartbeat-runs/{runId}/log',
    'GET /api/heartbeat-runs/{runId}/log/events',
    'GET /api/heartbeat-runs/{runId}/log/search',
    'POST /api/heartbeat-runs/{runId}/cancel',
    'POST /api/heartbeat-runs/{runId}/finish',
    'GET /api/agents/me/wakes',
    'POST /api/heartbeat-runs/{runId}/retry',
    'GET /api/companies/{companyId}/activity',
    'GET /api/companies/{companyId}/dashboard',
    'GET /api/companies/{companyId}/overview',
    'GET /api/companies/{companyId}/issues/board',
    'GET /api/companies/{companyId}/issues/counts',
    'GET /api/issues/{issueId}/thread',
    'POST /api/issues/{issueId}/comments/preview',
    'GET /api/companies/{companyId}/views',
    'POST /api/companies/{companyId}/views',
    'PATCH /api/views/{viewId}',
    'DELETE /api/views/{viewId}',
    'GET /api/companies/{companyId}/schedule-preview',
    'GET /api/companies/{companyId}/events',
    'GET /api/companies/{companyId}/changes',
    'GET /api/companies/{companyId}/inbox',
    'GET /api/companies/{companyId}/inbox/counts',
    'POST /api/companies/{companyId}/inbox/{itemId}/snooze',
    'POST /api/companies/{companyId}/inbox/{itemId}/dismiss',
    'DELETE /api/companies/{companyId}/inbox/{itemId}/snooze',
    'DELETE /api/companies/{companyId}/inbox/{itemId}/dismiss',
    'GET /api/routines/{routineId}/runs/{routineRunId}',
    'GET /api/routines/{routineId}/triggers/{triggerId}/preview',
    'DELETE /api/companies/{companyId}/members/{memberId}',
    'PATCH /api/companies/{companyId}/members/{memberId}',
    'POST /api/auth/invites/{token}/accept',
    'GET /api/companies/{companyId}/invites',
    'POST /api/companies/{companyId}/invites',
    'DELETE /api/companies/{companyId}/invites/{inviteId}',
    'GET /api/companies/{companyId}/members',
    'POST /api/auth/bootstrap',
    'GET /api/auth/session',
    'GET /api/auth/sessions',
    'DELETE /api/auth/sessions',
    'DELETE /api/auth/sessions/{sessionId}',
    'GET /api/auth/tokens',
    'POST /api/auth/tokens',
    'DELETE /api/auth/tokens',
    'DELETE /api/auth/tokens/{tokenId}',
    'POST /api/auth/password',
    'POST /api/auth/logout',
    'POST /api/auth/login',
    'GET /api/assets/{assetId}/content',
    'GET /api/openapi.json',
    'GET /api/docs',
    'GET /api/agent-guide',
    'POST /api/agents/{agentId}/check',
    'GET /api/companies/{companyId}/cost-events',
    'GET /api/companies/{companyId}/costs/by-day',
    'GET /api/companies/{companyId}/costs/by-provider',
    'GET /api/companies/{companyId}/costs/by-model',
    'GET /api/companies/{companyId}/costs/by-issue',
    'GET /api/companies/{companyId}/costs/by-run',
    'GET /api/companies/{companyId}/costs/limits',
    'GET /api/adapters',
    'GET /api/secrets/{secretId}',
    'DELETE /api/secrets/{secretId}',
    'GET /api/companies/{companyId}/search',
    'GET /api/companies/{companyId}/labels',
    'PATCH /api/labels/{labelId}',
    'DELETE /api/labels/{labelId}',
    'GET /api/issues/{issueId}/approvals',
    'GET /api/issues/{issueId}/comments/{commentId}',
  ]),
];
