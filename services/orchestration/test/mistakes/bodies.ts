import { newId } from '@switchyard/db';
import { type Mistake, patch, post } from './mistake';

const NOBODY = newId();

export const BODIES: Mistake[] = [
  {
    name: 'no body',
    ask: () => post('/api/companies', undefined),
    status: 400,
    code: 'validation_error',
    says: /^name is required$/,
  },
  {
    name: 'a form instead of JSON',
    ask: () =>
      post('/api/companies', 'name=Acme', undefined, {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    status: 415,
    code: 'unsupported_media_type',
    says: /send the header "Content-Type: application\/json"$/,
  },
  {
    name: "a shell's quotes",
    ask: () => post('/api/companies', "{'name':'Acme'}"),
    status: 400,
    code: 'validation_error',
    says: /must be valid JSON: .*double quotes/,
  },
  {
    name: 'a list instead of an object',
    ask: () => post('/api/companies', [{ name: 'Acme' }]),
    status: 400,
    code: 'validation_error',
    says: /the body must be an object/,
  },
  {
    name: 'an incomplete field name',
    ask: ({ companyId, agentId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', assignee: agentId }),
    status: 400,
    code: 'validation_error',
    says: /^assignee: unknown field; did you mean assigneeAgentId or assigneeUserId\?$/,
  },
  {
    name: 'a field in snake case',
    ask: ({ companyId, issueId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', parent_id: issueId }),
    status: 400,
    code: 'validation_error',
    says: /^parent_id: unknown field; did you mean parentId\?$/,
  },
  {
    name: 'the identifier of an issue instead of its id',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', blockedBy: ['ACM-1'] }),
    status: 400,
    code: 'validation_error',
    says: /^blockedBy\.0: .*the id in GET \/api\/issues\/ACM-1$/,
  },
  {
    name: '"me" instead of an agent id',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', assigneeAgentId: 'me' }),
    status: 400,
    code: 'validation_error',
    says: /^assigneeAgentId: .*GET \/api\/agents\/me$/,
  },
  {
    name: "an agent's name for its id",
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', assigneeAgentId: 'Ada' }),
    status: 400,
    code: 'validation_error',
    says: /^assigneeAgentId: .*\/agents\?name=Ada$/,
  },
  {
    name: 'the field text instead of body in a comment',
    ask: ({ issueId }) => post(`/api/issues/${issueId}/comments`, { text: 'hello' }),
    status: 400,
    code: 'validation_error',
    says: /^body is required$/,
  },
  {
    name: 'an unknown status',
    ask: ({ issueId }) => patch(`/api/issues/${issueId}`, { status: 'open' }),
    status: 400,
    code: 'validation_error',
    says: /^status: must be one of backlog, todo, .*done/,
  },
  {
    name: 'an unknown priority',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', priority: 'urgent' }),
    status: 400,
    code: 'validation_error',
    says: /^priority: must be one of critical, high/,
  },
  {
    name: 'an agent without an adapter',
    ask: ({ companyId }) => post(`/api/companies/${companyId}/agents`, { name: 'Ada' }),
    status: 400,
    code: 'validation_error',
    says: /^adapterType is required$/,
  },
  {
    name: 'the name of a product instead of an adapter',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/agents`, { name: 'Ada', adapterType: 'claude' }),
    status: 400,
    code: 'validation_error',
    says: /adapterType.*process/,
  },
  {
    name: 'a process without its command',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/agents`, {
        name: 'Ada',
        adapterType: 'process',
        adapterConfig: { cmd: 'python3' },
      }),
    status: 400,
    code: 'validation_error',
    says: /adapterConfig\.command is required/,
  },
  {
    name: 'dollars instead of cents',
    ask: ({ agentId }) => patch(`/api/agents/${agentId}`, { budgetMonthlyCents: 12.5 }),
    status: 400,
    code: 'validation_error',
    says: /^budgetMonthlyCents: must be a whole number/,
  },
  {
    name: 'an unknown assignee',
    ask: ({ issueId }) => patch(`/api/issues/${issueId}`, { assigneeAgentId: newId() }),
    status: 422,
    code: 'unknown_reference',
    says: /^assigneeAgentId does not exist: .*id of this company/,
  },
  {
    name: 'an assignee of another company',
    ask: ({ issueId, foreignAgentId }) =>
      patch(`/api/issues/${issueId}`, { assigneeAgentId: foreignAgentId }),
    status: 403,
    code: 'cross_company',
    says: /^assigneeAgentId belongs to another company: .*id of this company/,
  },
  {
    name: 'an issue below itself',
    ask: ({ issueId }) => patch(`/api/issues/${issueId}`, { parentId: issueId }),
    status: 422,
    code: 'cycle',
    says: /^parentId would create a cycle: it must not name the object itself/,
  },
  {
    name: 'the name of a person instead of the id',
    ask: ({ issueId }) => patch(`/api/issues/${issueId}`, { assigneeUserId: 'bob' }),
    status: 400,
    code: 'validation_error',
    says: /^assigneeUserId: must be the id of a member, or "me"$/,
  },
  {
    name: 'an unknown blocker among known ones',
    ask: ({ issueId, heldId }) => patch(`/api/issues/${issueId}`, { blockedBy: [heldId, NOBODY] }),
    status: 422,
    code: 'unknown_reference',
    says: new RegExp(`^blockedBy names ${NOBODY}, which does not exist: .*ids of this company`),
  },
  {
    name: 'an unknown goal',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/projects`, { name: 'Ship', goalIds: [NOBODY] }),
    status: 422,
    code: 'unknown_reference',
    says: new RegExp(`^goalIds names ${NOBODY}, which does not exist: .*ids of this company`),
  },
  {
    name: 'a question about an unknown issue',
    ask: ({ companyId }) => {
      const payload = { title: 'Which?', issueIds: [NOBODY] };
      return post(`/api/companies/${companyId}/approvals`, { type: 'board_question', payload });
    },
    status: 422,
    code: 'unknown_reference',
    says: new RegExp(`^payload.issueIds names ${NOBODY}, which does not exist`),
  },
  {
    name: 'an issue that waits for itself',
    ask: ({ issueId }) => patch(`/api/issues/${issueId}`, { blockedBy: [issueId] }),
    status: 422,
    code: 'cycle',
    says: /^blockedBy would create a cycle: it must not name the issue itself or one that waits for it$/,
  },
  {
    name: 'a file in JSON',
    ask: ({ companyId, issueId }) =>
      post(`/api/companies/${companyId}/issues/${issueId}/attachments`, { file: 'aGVsbG8=' }),
    status: 415,
    code: 'unsupported_media_type',
    says: /multipart\/form-data/,
  },
  {
    name: 'a body of three megabytes',
    ask: ({ issueId }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x'.repeat(3 * 1024 * 1024) }),
    status: 413,
    code: 'too_large',
    says: /must not exceed 2097152 bytes/,
  },
  {
    name: 'a cron expression with four fields',
    ask: ({ routineId }) =>
      post(`/api/routines/${routineId}/triggers`, { kind: 'schedule', cronExpression: '0 9 * *' }),
    status: 400,
    code: 'validation_error',
    says: /^cronExpression: .*five/,
  },
  {
    name: 'an unknown time zone',
    ask: ({ routineId }) =>
      post(`/api/routines/${routineId}/triggers`, {
        kind: 'schedule',
        cronExpression: '0 9 * * *',
        timezone: 'Berlin',
      }),
    status: 400,
    code: 'validation_error',
    says: /^timezone: .*Europe\/Berlin/,
  },
];
