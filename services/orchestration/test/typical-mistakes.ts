import { newId } from '@switchyard/db';
import type { ErrorCode } from '@switchyard/types';
import type { Question } from './ask';
import type { MistakesScene } from './mistakes-scene';

export interface Mistake {
  name: string;
  ask: (scene: MistakesScene) => Question;
  status: number;
  code: ErrorCode;
  /** The words of the sentence that lead on. */
  says: RegExp;
}

const get = (path: string, headers?: Question['headers']): Question => ({
  method: 'GET',
  path,
  headers,
});
const send = (
  method: string,
  path: string,
  body: unknown,
  authorization?: string,
  headers: Question['headers'] = {},
): Question => ({ method, path, body, headers: { ...headers, authorization } });
const post = (path: string, body: unknown, authorization?: string, headers = {}) =>
  send('POST', path, body, authorization, headers);
const patch = (path: string, body: unknown, authorization?: string) =>
  send('PATCH', path, body, authorization);

const WRONG_PATHS: Mistake[] = [
  {
    name: 'a path without /api',
    ask: () => get('/companies'),
    status: 404,
    code: 'not_found',
    says: /did you mean \/api\/companies\?/,
  },
  {
    name: 'a version in the path',
    ask: ({ issueId }) => get(`/api/v1/issues/${issueId}`),
    status: 404,
    code: 'not_found',
    says: /did you mean \/api\/issues\/[0-9a-f-]{36}\?/,
  },
  {
    name: 'a doubled slash',
    ask: () => get('//api//companies'),
    status: 404,
    code: 'not_found',
    says: /did you mean \/api\/companies\?/,
  },
  {
    name: 'a list without its company',
    ask: () => get('/api/issues'),
    status: 404,
    code: 'not_found',
    says: /did you mean \/api\/companies\/\{companyId\}\/issues\?/,
  },
  {
    name: 'a path that was guessed',
    ask: () => get('/api/tasks/next'),
    status: 404,
    code: 'not_found',
    says: /\/api\/docs/,
  },
  {
    name: 'a page that was guessed',
    ask: () => get('/swagger-ui.html'),
    status: 404,
    code: 'not_found',
    says: /below \/api, .*\/api\/docs/,
  },
  {
    name: 'PUT for PATCH',
    ask: ({ issueId }) => send('PUT', `/api/issues/${issueId}`, { title: 'x' }),
    status: 405,
    code: 'method_not_allowed',
    says: /PUT .* allowed: .*PATCH/,
  },
  {
    name: 'GET of an action',
    ask: ({ issueId }) => get(`/api/issues/${issueId}/checkout`),
    status: 405,
    code: 'method_not_allowed',
    says: /GET .* allowed: POST/,
  },
  {
    name: 'a number for an id',
    ask: () => get('/api/issues/42'),
    status: 404,
    code: 'not_found',
    says: /id \(a UUID\) or an identifier such as ACM-42/,
  },
  {
    name: 'the name of a company for its id',
    ask: () => get('/api/companies/acme/agents'),
    status: 404,
    code: 'not_found',
    says: /company not found: .* id \(a UUID\)/,
  },
  {
    name: 'the id of another kind of thing',
    ask: ({ issueId }) => get(`/api/agents/${issueId}`),
    status: 404,
    code: 'not_found',
    says: /no such agent .* a list/,
  },
  {
    name: 'the variable of a template, not filled in',
    ask: () => get('/api/issues/{issueId}'),
    status: 404,
    code: 'not_found',
    says: /id \(a UUID\)/,
  },
];

const CREDENTIALS: Mistake[] = [
  {
    name: 'the key in X-API-Key, where an agent reads itself',
    ask: ({ key }) => get('/api/agents/me', { 'x-api-key': key }),
    status: 400,
    code: 'validation_error',
    says: /^x-api-key: .*Authorization: Bearer/,
  },
  {
    name: 'the key in X-API-Key, where the board may write too',
    ask: ({ issueId, key }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, undefined, { 'x-api-key': key }),
    status: 400,
    code: 'validation_error',
    says: /^x-api-key: .*Authorization: Bearer/,
  },
  {
    name: 'the key in api-key',
    ask: ({ key }) => get('/api/companies', { 'api-key': key }),
    status: 400,
    code: 'validation_error',
    says: /^api-key: .*Authorization: Bearer/,
  },
  {
    name: 'the token in X-Auth-Token',
    ask: ({ token }) => get('/api/companies', { 'x-auth-token': token }),
    status: 400,
    code: 'validation_error',
    says: /^x-auth-token: .*Authorization: Bearer/,
  },
  {
    name: 'the key in a header of an unheard-of name',
    ask: ({ key }) => get('/api/companies', { 'x-acme-robot': key }),
    status: 400,
    code: 'validation_error',
    says: /^x-acme-robot: .*Authorization: Bearer/,
  },
  {
    name: 'the token as a query parameter',
    ask: ({ token }) => get(`/api/companies?access_token=${token}`),
    status: 400,
    code: 'validation_error',
    says: /^access_token: .*Authorization: Bearer/,
  },
  {
    name: 'user and password',
    ask: () => get('/api/companies', { authorization: 'Basic dXNlcjpwYXNz' }),
    status: 401,
    code: 'unauthenticated',
    says: /must be "Bearer <credential>"/,
  },
  {
    name: 'the key without Bearer',
    ask: ({ key }) => get('/api/agents/me', { authorization: key }),
    status: 401,
    code: 'unauthenticated',
    says: /must be "Bearer <credential>"/,
  },
  {
    name: 'Bearer with the variable empty',
    ask: () => get('/api/agents/me', { authorization: 'Bearer ' }),
    status: 401,
    code: 'unauthenticated',
    says: /must be "Bearer <credential>"/,
  },
  {
    name: 'Bearer with the name of the variable',
    ask: () => get('/api/agents/me', { authorization: 'Bearer $SERVICE_API_KEY' }),
    status: 401,
    code: 'unauthenticated',
    says: /no API key \(swy_…\).* no run token/,
  },
  {
    name: 'no credential where agents alone may call',
    ask: () => get('/api/agents/me'),
    status: 403,
    code: 'forbidden',
    says: /no credential was sent: send "Authorization: Bearer/,
  },
  {
    name: 'a revoked key',
    ask: ({ revokedKey }) => get('/api/agents/me', { authorization: revokedKey }),
    status: 401,
    code: 'unauthenticated',
    says: /revoked.* the board makes another/,
  },
  {
    name: 'the token of a run that has ended',
    ask: ({ endedToken }) => get('/api/agents/me', { authorization: endedToken }),
    status: 401,
    code: 'token_expired',
    says: /has ended: stop here/,
  },
  {
    name: 'the run alone, without its token',
    ask: ({ issueId }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, undefined, {
        'x-service-run-id': newId(),
      }),
    status: 403,
    code: 'forbidden',
    says: /no credential was sent: .*Authorization: Bearer <SERVICE_API_KEY>/,
  },
  {
    name: 'a word for the run',
    ask: ({ issueId, agent }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, agent, {
        'x-service-run-id': 'run-1',
      }),
    status: 400,
    code: 'validation_error',
    says: /^X-Service-Run-Id: must be a run id/,
  },
];

const BODIES: Mistake[] = [
  {
    name: 'no body',
    ask: () => post('/api/companies', undefined),
    status: 400,
    code: 'validation_error',
    says: /^name is required$/,
  },
  {
    name: 'a form for JSON',
    ask: () =>
      post('/api/companies', 'name=Acme', undefined, {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    status: 415,
    code: 'unsupported_media_type',
    says: /application\/json/,
  },
  {
    name: "a shell's quotes",
    ask: () => post('/api/companies', "{'name':'Acme'}"),
    status: 400,
    code: 'validation_error',
    says: /not valid JSON: .*double quotes/,
  },
  {
    name: 'a list for an object',
    ask: () => post('/api/companies', [{ name: 'Acme' }]),
    status: 400,
    code: 'validation_error',
    says: /the body must be an object/,
  },
  {
    name: 'half the name of a field',
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
    name: 'text for body in a comment',
    ask: ({ issueId }) => post(`/api/issues/${issueId}/comments`, { text: 'hello' }),
    status: 400,
    code: 'validation_error',
    says: /^body is required$/,
  },
  {
    name: 'a status that does not exist',
    ask: ({ issueId }) => patch(`/api/issues/${issueId}`, { status: 'open' }),
    status: 400,
    code: 'validation_error',
    says: /^status: must be one of backlog, todo, .*done/,
  },
  {
    name: 'a priority that does not exist',
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
    name: 'the name of a product for an adapter',
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
    name: 'dollars for cents',
    ask: ({ agentId }) => patch(`/api/agents/${agentId}`, { budgetMonthlyCents: 12.5 }),
    status: 400,
    code: 'validation_error',
    says: /^budgetMonthlyCents: must be a whole number/,
  },
  {
    name: 'an assignee that does not exist',
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
    says: /^assigneeAgentId belongs to another company: .*id of this one/,
  },
  {
    name: 'an issue below itself',
    ask: ({ issueId }) => patch(`/api/issues/${issueId}`, { parentId: issueId }),
    status: 422,
    code: 'cycle',
    says: /^parentId would make a circle: it names the same/,
  },
  {
    name: 'a file as JSON',
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
    says: /larger than 2097152 bytes/,
  },
  {
    name: 'four fields for a schedule',
    ask: ({ routineId }) =>
      post(`/api/routines/${routineId}/triggers`, { kind: 'schedule', cronExpression: '0 9 * *' }),
    status: 400,
    code: 'validation_error',
    says: /^cronExpression: .*five/,
  },
  {
    name: 'a time zone that does not exist',
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

const QUERIES: Mistake[] = [
  {
    name: 'a filter that does not exist',
    ask: ({ companyId }) => get(`/api/companies/${companyId}/issues?state=todo`),
    status: 400,
    code: 'validation_error',
    says: /^unknown query parameter state; known: .*status/,
  },
  {
    name: 'a status to filter by that does not exist',
    ask: ({ companyId }) => get(`/api/companies/${companyId}/issues?status=open`),
    status: 400,
    code: 'validation_error',
    says: /status.*backlog, todo/,
  },
  {
    name: 'a filter twice',
    ask: ({ companyId }) => get(`/api/companies/${companyId}/issues?status=todo&status=done`),
    status: 400,
    code: 'validation_error',
    says: /^status: must be given once/,
  },
  {
    name: 'too many at once',
    ask: ({ companyId }) => get(`/api/companies/${companyId}/issues?limit=1000`),
    status: 400,
    code: 'validation_error',
    says: /^limit: .*500/,
  },
  {
    name: 'a page number for a cursor',
    ask: ({ companyId }) => get(`/api/companies/${companyId}/issues?cursor=2`),
    status: 400,
    code: 'validation_error',
    says: /^cursor: .*X-Next-Cursor/,
  },
];

const WORK: Mistake[] = [
  {
    name: 'done without working on it',
    ask: ({ issueId, agent }) => patch(`/api/issues/${issueId}`, { status: 'done' }, agent),
    status: 422,
    code: 'invalid_transition',
    says: /from todo to done: check it out first, then set in_review/,
  },
  {
    name: 'in_progress by an update',
    ask: ({ issueId, agent }) => patch(`/api/issues/${issueId}`, { status: 'in_progress' }, agent),
    status: 409,
    code: 'checkout_required',
    says: /POST \/api\/issues\/\{issueId\}\/checkout/,
  },
  {
    name: 'a new issue in progress',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', status: 'in_progress' }),
    status: 422,
    code: 'invalid_transition',
    says: /checkout/,
  },
  {
    name: 'work that is done, again',
    ask: ({ doneId, agent }) => patch(`/api/issues/${doneId}`, { status: 'todo' }, agent),
    status: 422,
    code: 'invalid_transition',
    says: /the board can reopen it/,
  },
  {
    name: 'a checkout that expects nothing',
    ask: ({ issueId, agentId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { agentId }, agent),
    status: 400,
    code: 'validation_error',
    says: /^expectedStatuses is required$/,
  },
  {
    name: 'a checkout that expects a word',
    ask: ({ issueId, agentId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { agentId, expectedStatuses: 'todo' }, agent),
    status: 400,
    code: 'validation_error',
    says: /^expectedStatuses: must be a list/,
  },
  {
    name: 'a checkout that expects another status',
    ask: ({ issueId, agentId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { agentId, expectedStatuses: ['backlog'] }, agent),
    status: 409,
    code: 'status_mismatch',
    says: /is todo, which expectedStatuses does not name.* name todo in expectedStatuses/,
  },
  {
    name: 'a checkout of what is done',
    ask: ({ doneId, agentId, agent }) =>
      post(`/api/issues/${doneId}/checkout`, { agentId, expectedStatuses: ['done'] }, agent),
    status: 409,
    code: 'status_mismatch',
    says: /is done, and nothing can be checked out from there.* its work is over/,
  },
  {
    name: 'a checkout of what another has',
    ask: ({ heldId, agentId, agent }) =>
      post(`/api/issues/${heldId}/checkout`, { agentId, expectedStatuses: ['todo'] }, agent),
    status: 409,
    code: 'checked_out',
    says: /owns this issue; do not retry: take other work/,
  },
  {
    name: 'a checkout that names its run in the body',
    ask: ({ issueId, agentId, agent, runId }) =>
      post(
        `/api/issues/${issueId}/checkout`,
        { agentId, expectedStatuses: ['todo'], runId },
        agent,
      ),
    status: 400,
    code: 'validation_error',
    says: /^runId: unknown field/,
  },
  {
    name: 'a checkout for nobody',
    ask: ({ issueId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { expectedStatuses: ['todo'] }, agent),
    status: 400,
    code: 'validation_error',
    says: /^agentId: an agent names itself/,
  },
  {
    name: 'a checkout for a colleague',
    ask: ({ issueId, colleagueId, agent }) =>
      post(
        `/api/issues/${issueId}/checkout`,
        { agentId: colleagueId, expectedStatuses: ['todo'] },
        agent,
      ),
    status: 403,
    code: 'not_own',
    says: /for itself only; GET \/api\/agents\/me/,
  },
  {
    name: "a change of a colleague's work",
    ask: ({ heldId, agent }) => patch(`/api/issues/${heldId}`, { status: 'in_review' }, agent),
    status: 409,
    code: 'checked_out',
    says: /owns this issue: leave it, or write a comment/,
  },
  {
    name: 'a document that somebody else has changed',
    ask: ({ issueId, agent }) =>
      send(
        'PUT',
        `/api/issues/${issueId}/documents/plan`,
        { title: 'Plan', format: 'markdown', body: 'New', baseRevisionId: newId() },
        agent,
      ),
    status: 409,
    code: 'stale_revision',
    says: /read it again/,
  },
  {
    name: 'the same key for another request',
    ask: ({ companyId, usedKey }) =>
      post(`/api/companies/${companyId}/goals`, { title: 'Another' }, undefined, {
        'idempotency-key': usedKey,
      }),
    status: 409,
    code: 'idempotency_conflict',
    says: /^Idempotency-Key .* send a new one/,
  },
];

const RIGHTS: Mistake[] = [
  {
    name: 'an agent that founds a company',
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
    name: 'an agent in another company',
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
    name: 'a decision twice',
    ask: ({ decidedId }) => post(`/api/approvals/${decidedId}/approve`, {}),
    status: 409,
    code: 'not_pending',
    says: /approved already; only a pending one/,
  },
  {
    name: 'work in an archived company',
    ask: ({ archivedId }) => post(`/api/companies/${archivedId}/issues`, { title: 'x' }),
    status: 409,
    code: 'company_archived',
    says: /archived: nothing can be changed/,
  },
  {
    name: 'a secret of a name that is taken',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/secrets`, { name: 'TAKEN', value: 'x' }),
    status: 409,
    code: 'name_taken',
    says: /TAKEN exists already; rotate it, or choose/,
  },
  {
    name: 'a webhook without its signature',
    ask: ({ publicId }) => post(`/api/routine-triggers/public/${publicId}/fire`, {}),
    status: 401,
    code: 'invalid_signature',
    says: /secret .*Authorization: Bearer/,
  },
];

export const TYPICAL_MISTAKES: Mistake[] = [
  ...WRONG_PATHS,
  ...CREDENTIALS,
  ...BODIES,
  ...QUERIES,
  ...WORK,
  ...RIGHTS,
];
