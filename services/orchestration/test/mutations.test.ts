import type supertest from 'supertest';
import { allRoutes } from '../src/http/routes';
import {
  type AuthenticatedHarness,
  PASSWORD,
  useAuthenticatedHarness,
} from './authenticated-harness';
import { expectRecords, READING, recordsOf, WITHOUT_COMPANY } from './records';
import { SECURITY_TABLE } from './security-table';

type ValidCall = (harness: AuthenticatedHarness) => Promise<() => supertest.Test>;

async function memberOf(harness: AuthenticatedHarness, browsers = 1) {
  const { id } = await harness.build.company();
  const member = await harness.operator(id, 'viewer');
  for (let more = 1; more < browsers; more++) await harness.logIn(member);
  return harness.as(member);
}

const AUTHENTICATED_CALLS: Record<string, ValidCall> = {
  'POST /api/routine-triggers/public/:publicId/fire': async ({ api, build }) => {
    const trigger = await build.trigger((await build.routine()).id, { kind: 'webhook' });
    const path = `/api/routine-triggers/public/${trigger.publicId}/fire`;
    return () => api.post(path).set('Authorization', `Bearer ${trigger.secret}`);
  },
  'POST /api/auth/login': async ({ build, api, person, join }) => {
    const someone = await person();
    await join(someone, (await build.company()).id, 'viewer');
    return () => api.post('/api/auth/login').send({ email: someone.email, password: PASSWORD });
  },
  'POST /api/auth/logout': async (harness) => {
    const board = await memberOf(harness);
    return () => board.post('/api/auth/logout');
  },
  'POST /api/auth/confirm': async (harness) => {
    const board = await memberOf(harness);
    return () => board.post('/api/auth/confirm').send({ password: PASSWORD });
  },
  'POST /api/auth/password': async (harness) => {
    const board = await memberOf(harness);
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' };
    return () => board.post('/api/auth/password').send(body);
  },
  'DELETE /api/auth/sessions': async (harness) => {
    const board = await memberOf(harness, 2);
    return () => board.delete('/api/auth/sessions');
  },
  'DELETE /api/auth/sessions/:sessionId': async (harness) => {
    const board = await memberOf(harness);
    const { body } = await board.get('/api/auth/sessions').expect(200);
    return () => board.delete(`/api/auth/sessions/${body[0].id}`);
  },
  'POST /api/auth/tokens': async (harness) => {
    const board = await memberOf(harness);
    return () => board.post('/api/auth/tokens').send({ name: 'a program', scope: 'read' });
  },
  'DELETE /api/auth/tokens': async (harness) => {
    const board = await memberOf(harness);
    await board.post('/api/auth/tokens').send({ name: 'a program', scope: 'read' }).expect(201);
    return () => board.delete('/api/auth/tokens');
  },
  'DELETE /api/auth/tokens/:tokenId': async (harness) => {
    const board = await memberOf(harness);
    const token = { name: 'a program', scope: 'write' };
    const { body } = await board.post('/api/auth/tokens').send(token).expect(201);
    return () => board.delete(`/api/auth/tokens/${body.id}`);
  },
  'DELETE /api/companies/:companyId/invites/:inviteId': async ({ build, founding }) => {
    const path = `/api/companies/${(await build.company()).id}/invites`;
    const { body } = await founding.post(path).send({ role: 'viewer' }).expect(201);
    return () => founding.delete(`${path}/${body.id}`);
  },
  'POST /api/companies/:companyId/invites': async ({ build, founding }) => {
    const { id } = await build.company();
    return () => founding.post(`/api/companies/${id}/invites`).send({ role: 'viewer' });
  },
  'POST /api/auth/invites/:token/accept': async ({ api, build, founding, person }) => {
    const { id } = await build.company();
    const { body } = await founding
      .post(`/api/companies/${id}/invites`)
      .send({ role: 'viewer' })
      .expect(201);
    const { email } = await person();
    const account = { email, password: 'correct horse battery staple' };
    return () => api.post(`/api/auth/invites/${body.token}/accept`).send(account);
  },
  'PATCH /api/companies/:companyId/members/:memberId': async (harness) => {
    const { id } = await harness.build.company();
    const memberId = await harness.join(await harness.person(), id, 'viewer');
    const path = `/api/companies/${id}/members/${memberId}`;
    return () => harness.founding.patch(path).send({ role: 'operator' });
  },
  'DELETE /api/companies/:companyId/members/:memberId': async (harness) => {
    const { id } = await harness.build.company();
    const memberId = await harness.join(await harness.person(), id, 'viewer');
    return () => harness.founding.delete(`/api/companies/${id}/members/${memberId}`);
  },
};

describe('routes that change data', () => {
  const harness = useAuthenticatedHarness();

  const succeeds = (name: string) => (SECURITY_TABLE[name]?.status ?? 200) < 400;

  it('have a successful call in AUTHENTICATED_CALLS or in the contract test', () => {
    const changing = allRoutes
      // Excludes calls of runners, which are recorded as activity of their runs.
      .filter((route) => route.method !== 'GET' && route.access !== 'runner')
      .map((route) => `${route.method} ${route.path}`);
    const others = [...WITHOUT_COMPANY, ...READING];
    const recorded = changing.filter((name) => !others.includes(name) && !succeeds(name));
    expect(Object.keys(AUTHENTICATED_CALLS).sort()).toEqual(recorded.sort());
  });

  it.each(Object.entries(AUTHENTICATED_CALLS))(
    'add an activity in the same transaction: %s',
    async (name, prepare) => {
      const call = await prepare(harness);
      const recorded = await recordsOf(harness);
      const answer = await call();
      const succeeded = answer.status >= 200 && answer.status < 300;
      expect({ name, succeeded, body: answer.body }).toMatchObject({ succeeded: true });
      expectRecords(await recorded(), answer.body);
    },
  );
});
