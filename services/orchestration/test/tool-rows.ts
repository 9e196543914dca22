import { CLAIMABLE } from '../src/state/statuses/issue-status';
import type { Ids } from './world';

export interface ToolRow {
  tool: string;
  args(ids: Ids): Record<string, unknown>;
  operation: string;
  body?(ids: Ids): Record<string, unknown>;
}

const call = (
  tool: string,
  operation: string,
  args: ToolRow['args'],
  body?: ToolRow['body'],
): ToolRow => ({ tool, operation, args, ...(body && { body }) });

const decide = (
  decision: string,
  operation: string,
  of: 'approvalId' | 'issueId' | 'runId',
  more: Record<string, unknown> = {},
  body: ToolRow['body'] = () => ({}),
) => call('decide', operation, (ids) => ({ id: ids[of], decision, ...more }), body);

const issue = ({ issueId }: Ids) => ({ issue: issueId });
const text = 'Hello';
const cost = { provider: 'p', model: 'm' };

export const AGENT_TOOL_ROWS: readonly ToolRow[] = [
  call('my_work', 'GET /api/agents/me', () => ({})),
  call('read', 'GET /api/issues/:issueId', issue),
  call('read', 'GET /api/issues/:issueId/thread', (ids) => ({ ...issue(ids), part: 'comments' })),
  call('read', 'GET /api/issues/:issueId/documents/:key', (ids) => ({
    ...issue(ids),
    part: ids.key,
  })),
  call('find', 'GET /api/companies/:companyId/search', () => ({ words: 'Issue' })),
  call('claim', 'POST /api/issues/:issueId/checkout', issue, ({ callerId }) => ({
    agentId: callerId,
    expectedStatuses: CLAIMABLE,
  })),
  call(
    'comment',
    'POST /api/issues/:issueId/comments',
    (ids) => ({ ...issue(ids), text }),
    () => ({ body: text }),
  ),
  call(
    'ask_board',
    'POST /api/companies/:companyId/approvals',
    (ids) => ({ ...issue(ids), question: 'Ship?' }),
    ({ issueId }) => ({
      type: 'board_question',
      payload: { title: 'Ship?' },
      issueIds: [issueId],
    }),
  ),
  call(
    'report_cost',
    'POST /api/companies/:companyId/cost-events',
    (ids) => ({ ...issue(ids), ...cost, input_tokens: 1, output_tokens: 1, cost_cents: 1 }),
    ({ callerId, issueId }) => ({
      ...cost,
      agentId: callerId,
      issueId,
      inputTokens: 1,
      outputTokens: 1,
      costCents: 1,
    }),
  ),
  call(
    'create_issue',
    'POST /api/companies/:companyId/issues',
    ({ issueId, colleagueId }) => ({ title: 'New', parent: issueId, assignee: colleagueId }),
    ({ issueId, colleagueId }) => ({
      title: 'New',
      status: 'todo',
      parentId: issueId,
      assigneeAgentId: colleagueId,
    }),
  ),
  call(
    'hand_in',
    'PATCH /api/issues/:issueId',
    (ids) => ({ ...issue(ids), status: 'blocked', comment: text }),
    () => ({ status: 'blocked', comment: text }),
  ),
];

export const BOARD_TOOL_ROWS: readonly ToolRow[] = [
  call('needs_me', 'GET /api/companies/:companyId/inbox', ({ companyId }) => ({
    company: companyId,
  })),
  call('runs', 'GET /api/companies/:companyId/heartbeat-runs', ({ companyId }) => ({
    company: companyId,
  })),
  call('runs', 'GET /api/heartbeat-runs/:runId', ({ runId }) => ({ run: runId })),
  call('find', 'GET /api/companies/:companyId/search', ({ companyId }) => ({
    words: 'Issue',
    company: companyId,
  })),
  call(
    'create',
    'POST /api/companies/:companyId/issues',
    ({ companyId, issueId, agentId }) => ({
      title: 'New',
      company: companyId,
      parent: issueId,
      assignee: agentId,
    }),
    ({ issueId, agentId }) => ({
      title: 'New',
      status: 'todo',
      parentId: issueId,
      assigneeAgentId: agentId,
    }),
  ),
  call(
    'assign',
    'PATCH /api/issues/:issueId',
    (ids) => ({ ...issue(ids), assignee: ids.agentId }),
    ({ agentId }) => ({ assigneeAgentId: agentId, assigneeUserId: null }),
  ),
  call(
    'fire',
    'POST /api/routines/:routineId/run',
    ({ routineId }) => ({ routine: routineId }),
    () => ({}),
  ),
  decide('comment', 'POST /api/issues/:issueId/comments', 'issueId', { note: text }, () => ({
    body: text,
  })),
  decide('answer', 'POST /api/approvals/:approvalId/answer', 'approvalId', { note: 'Yes' }, () => ({
    note: 'Yes',
  })),
  decide('revise', 'POST /api/approvals/:approvalId/request-revision', 'approvalId'),
  decide('approve', 'POST /api/approvals/:approvalId/approve', 'approvalId'),
  decide('reject', 'POST /api/approvals/:approvalId/reject', 'approvalId'),
  decide('complete', 'POST /api/issues/:issueId/complete', 'issueId'),
  decide('reopen', 'POST /api/issues/:issueId/reopen', 'issueId'),
  decide('stop', 'POST /api/heartbeat-runs/:runId/cancel', 'runId'),
  decide('retry', 'POST /api/heartbeat-runs/:runId/retry', 'runId'),
  call(
    'budget',
    'PATCH /api/agents/:agentId',
    ({ agentId }) => ({ cents: 500, agent: agentId }),
    () => ({ budgetMonthlyCents: 500 }),
  ),
  call(
    'budget',
    'PATCH /api/companies/:companyId',
    ({ companyId }) => ({ cents: 5_000, company: companyId }),
    () => ({ budgetMonthlyCents: 5_000 }),
  ),
  call(
    'pause_resume',
    'POST /api/agents/:agentId/pause',
    ({ agentId }) => ({ agent: agentId, to: 'pause' }),
    () => ({}),
  ),
  call(
    'pause_resume',
    'POST /api/agents/:agentId/resume',
    ({ agentId }) => ({ agent: agentId, to: 'resume' }),
    () => ({}),
  ),
];
