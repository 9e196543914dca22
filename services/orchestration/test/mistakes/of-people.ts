import type { AuthenticatedHarness } from '../authenticated-harness';
import { type Mistake, post } from './mistake';

export type SignedInScene = Awaited<ReturnType<typeof buildSignedInScene>>;

export async function buildSignedInScene(harness: AuthenticatedHarness) {
  const { api, build, founding, founder, operator } = harness;
  const { id: companyId } = await build.company();
  const issue = await build.issue({ companyId, status: 'todo' });
  const agent = await build.agent({ companyId });
  const viewer = await operator(companyId, 'viewer');
  const member = await operator(companyId, 'operator');
  const invite = await founding
    .post(`/api/companies/${companyId}/invites`)
    .send({ email: 'new@example.com', role: 'viewer' })
    .expect(201);
  const token = await founding
    .post('/api/auth/tokens')
    .send({ name: 'reader', scope: 'read', companyId })
    .expect(201);
  const readToken = `Bearer ${token.body.token}`;
  await api.get('/api/companies').set('Authorization', readToken).expect(200);
  return {
    companyId,
    issueId: issue.id,
    cookie: founder.cookie,
    viewer: viewer.cookie,
    member: member.cookie,
    agent: await build.apiKey(agent.id),
    invite: /[\w-]{43}/.exec(String(invite.body.token ?? invite.body.url))?.[0] as string,
    readToken,
  };
}

export const MISTAKES_OF_PEOPLE: Mistake<SignedInScene>[] = [
  {
    name: 'no credential',
    ask: () => ({ method: 'GET', path: '/api/companies' }),
    status: 401,
    code: 'unauthenticated',
    says: /^sign in first, or send "Authorization: Bearer/,
  },
  {
    name: 'the key in X-API-Key',
    ask: ({ agent }) => ({
      method: 'GET',
      path: '/api/agents/me',
      headers: { 'x-api-key': agent.slice('Bearer '.length) },
    }),
    status: 401,
    code: 'unauthenticated',
    says: /^x-api-key: .*Authorization: Bearer/,
  },
  {
    name: 'a person on a route for agents',
    ask: ({ cookie }) => ({ method: 'GET', path: '/api/agents/me', headers: { cookie } }),
    status: 403,
    code: 'forbidden',
    says: /^only an agent may do this: send "Authorization: Bearer/,
  },
  {
    name: 'a viewer who writes',
    ask: ({ issueId, viewer }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, undefined, { cookie: viewer }),
    status: 403,
    code: 'forbidden',
    says: /a viewer may only read/,
  },
  {
    name: 'an operator who invites',
    ask: ({ companyId, member }) =>
      post(
        `/api/companies/${companyId}/invites`,
        { email: 'x@example.com', role: 'viewer' },
        undefined,
        { cookie: member },
      ),
    status: 403,
    code: 'forbidden',
    says: /only an owner of the company/,
  },
  {
    name: 'a write with a read token',
    ask: ({ issueId, readToken }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, readToken),
    status: 403,
    code: 'forbidden',
    says: /this personal access token may only read/,
  },
  {
    name: 'a write from a page of another site',
    ask: ({ issueId, cookie }) =>
      post(`/api/issues/${issueId}/comments`, { body: 'x' }, undefined, {
        cookie,
        origin: 'https://example.org',
      }),
    status: 403,
    code: 'forbidden',
    says: /PUBLIC_URL|another site|origin/i,
  },
  {
    name: 'a sign-in without an e-mail address',
    ask: () => post('/api/auth/login', { password: 'x'.repeat(20) }),
    status: 400,
    code: 'validation_error',
    says: /^email is required$/,
  },
  {
    name: 'an accepted invite without a name',
    ask: ({ invite }) =>
      post(`/api/auth/invites/${invite}/accept`, {
        email: 'new@example.com',
        password: 'correct horse battery',
      }),
    status: 400,
    code: 'validation_error',
    says: /^name: is required, because .* does not have an account/,
  },
];
