import { get, type Mistake, post } from './mistake';

export const RIGHTS: Mistake[] = [
  {
    name: 'an agent that creates a company',
    ask: ({ agent }) => post('/api/companies', { name: 'Mine' }, agent),
    status: 403,
    code: 'board_only',
    says: /only the board .* ask it in a comment/,
  },
  {
    name: 'an agent that approves',
    ask: ({ approvalId, agent }) => post(`/api/approvals/${approvalId}/approve`, {}, agent),
    status: 403,
    code: 'board_only',
    says: /only the board .* ask it in a comment/,
  },
  {
    name: 'an agent that hires with an adapter',
    ask: ({ companyId, agent }) =>
      post(
        `/api/companies/${companyId}/agent-hires`,
        { name: 'Grace', adapterType: 'process' },
        agent,
      ),
    status: 403,
    code: 'board_only',
    says: /only the board may choose adapterType/,
  },
  {
    name: 'an agent that reads another company',
    ask: ({ foreignCompanyId, agent }) =>
      get(`/api/companies/${foreignCompanyId}/issues`, { authorization: agent }),
    status: 403,
    code: 'cross_company',
    says: /another company; GET \/api\/auth\/session/,
  },
  {
    name: 'a paused agent that writes',
    ask: ({ issueId, pausedAgent }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, pausedAgent),
    status: 409,
    code: 'agent_paused',
    says: /paused and may only read.*board/,
  },
  {
    name: 'waking a paused agent',
    ask: ({ pausedId }) => post(`/api/agents/${pausedId}/heartbeat/invoke`, {}),
    status: 409,
    code: 'not_invokable',
    says: /paused; .*\/resume$/,
  },
  {
    name: 'a repeated decision',
    ask: ({ decidedId }) => post(`/api/approvals/${decidedId}/approve`, {}),
    status: 409,
    code: 'not_pending',
    says: /already decided: it was approved/,
  },
  {
    name: 'a new issue in an archived company',
    ask: ({ archivedId }) => post(`/api/companies/${archivedId}/issues`, { title: 'x' }),
    status: 409,
    code: 'company_archived',
    says: /archived: its data cannot be changed/,
  },
  {
    name: 'a secret with a name that is taken',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/secrets`, { name: 'TAKEN', value: 'x' }),
    status: 409,
    code: 'name_taken',
    says: /TAKEN already exists: rotate it, or choose/,
  },
  {
    name: 'a webhook without its signature',
    ask: ({ publicId }) => post(`/api/routine-triggers/public/${publicId}/fire`, {}),
    status: 401,
    code: 'invalid_signature',
    says: /secret .*Authorization: Bearer/,
  },
];
