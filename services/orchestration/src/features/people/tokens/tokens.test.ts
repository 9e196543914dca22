import { Readable } from 'node:stream';
import { inTransaction, newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { PersonalTokenView } from '@switchyard/types';
import supertest from 'supertest';
import {
  type Operator,
  PASSWORD,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { useHarness } from '../../../../test/harness';
import { walkPages } from '../../../../test/walk-pages';
import { deleteSessions } from '../../../access/sign-in/session-rows';
import { administer } from '../administer';
import { resetPassword } from '../administration';
import { pruneTokens } from './prune-tokens';

describe('personal access tokens', () => {
  const harness = useAuthenticatedHarness();
  const make = async (of: Operator, body: object = {}) => {
    const sent = { name: 'a program', scope: 'write', ...body };
    const answer = await harness.as(of).post('/api/auth/tokens').send(sent).expect(201);
    const { id, token } = answer.body as { id: string; token: string };
    const api = supertest.agent(harness.url).set('Authorization', `Bearer ${token}`);
    return { id, token, api, body: answer.body };
  };
  const member = async (role: 'owner' | 'operator' | 'viewer' = 'operator') => {
    const company = await harness.build.company();
    const person = await harness.operator(company.id, role);
    return { company, person, path: `/api/companies/${company.id}` };
  };
  const stdin = Readable.from(['']);
  const dead = { code: 'unauthenticated', error: 'the personal access token is not valid' };

  it('can be read only in the response that creates them, and listed only by their owner', async () => {
    const { person, company } = await member();
    const { body, token } = await make(person, { companyId: company.id, expiresInDays: 1 });
    expect(body).toEqual({
      id: expect.any(String),
      name: 'a program',
      scope: 'write',
      companyId: company.id,
      prefix: token.slice(0, 10),
      token: expect.stringMatching(/^syp_[\w-]{43}$/),
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBeGreaterThan(86_000_000);
    const row = await harness.db.personalToken.findUniqueOrThrow({ where: { id: body.id } });
    expect(JSON.stringify(row)).not.toContain(token.slice(10));
    const { token: _, ...shown } = body;
    const listed = await harness.as(person).get('/api/auth/tokens').expect(200);
    expect(listed.body).toEqual([{ ...shown, lastUsedAt: null }]);
    const other = await harness.operator(company.id, 'owner');
    expect((await harness.as(other).get('/api/auth/tokens').expect(200)).body).toEqual([]);
    await harness.as(other).delete(`/api/auth/tokens/${body.id}`).expect(404);
    await make(person);
    const api = { api: harness.as(person) } as never;
    expect(await walkPages<PersonalTokenView>(api, '/api/auth/tokens', 1)).toHaveLength(2);
  });

  it('become valid for a terminal when a person enters its code', async () => {
    const { person, company } = await member();
    const { body: begun } = await supertest(harness.url).post('/api/auth/device').expect(201);
    expect(begun).toEqual({
      deviceCode: expect.stringMatching(/^syp_[\w-]{43}$/),
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUrl: `${harness.config.publicUrl}/account`,
      expiresInSec: 600,
      intervalSec: 5,
    });
    const terminal = supertest
      .agent(harness.url)
      .set('Authorization', `Bearer ${begun.deviceCode}`);
    expect((await terminal.get('/api/auth/session').expect(401)).body).toMatchObject(dead);
    const userCode = begun.userCode.replace('-', '').toLowerCase();
    const approve = (of: Operator) =>
      harness.as(of).post('/api/auth/tokens').send({ name: 'laptop', scope: 'write', userCode });
    const { body: created } = await approve(person).expect(201);
    expect(created).toMatchObject({ name: 'laptop', prefix: begun.deviceCode.slice(0, 10) });
    expect(created).not.toHaveProperty('token');
    const { body: session } = await terminal.get('/api/auth/session').expect(200);
    expect(session).toMatchObject({ user: { id: person.id }, token: { name: 'laptop' } });
    const other = await harness.operator(company.id, 'owner');
    const again = await approve(other).expect(400);
    expect(again.body.details).toMatchObject([{ path: ['userCode'] }]);
  });

  it.each(['BCDF', 'BCDF-GHJA', 'BCDF GHJK', 'BCDF-GHJK-', '', 7, null])(
    'reject %j as the code of a terminal',
    async (userCode) => {
      const { person } = await member();
      const sent = { name: 'laptop', scope: 'write', userCode };
      const { body } = await harness.as(person).post('/api/auth/tokens').send(sent).expect(400);
      expect(JSON.stringify(body.details)).toContain('userCode');
    },
  );

  it('do not use up a terminal’s code when the person must sign in again', async () => {
    const { person } = await member();
    const { body: begun } = await supertest(harness.url).post('/api/auth/device').expect(201);
    const { userCode } = begun;
    const approve = () =>
      harness.as(person).post('/api/auth/tokens').send({ name: 'x', scope: 'read', userCode });
    await harness.db.session.updateMany({
      where: { userId: person.id },
      data: { createdAt: new Date(Date.now() - 11 * 60_000) },
    });
    await approve().expect(403);
    await harness.as(person).post('/api/auth/confirm').send({ password: PASSWORD }).expect(204);
    await approve().expect(201);
  });

  it('do not use up a terminal’s code when the approval fails', async () => {
    const { person } = await member();
    const { body: begun } = await supertest(harness.url).post('/api/auth/device').expect(201);
    const approve = (companyId: string | null) =>
      harness
        .as(person)
        .post('/api/auth/tokens')
        .send({ name: 'x', scope: 'read', userCode: begun.userCode, companyId });
    await approve((await harness.build.company()).id).expect(403);
    await approve(newId()).expect(422);
    await approve(null).expect(201);
  });

  it('belong to one person when two enter a terminal’s code at the same time', async () => {
    const { person, company } = await member();
    const other = await harness.operator(company.id);
    const { body: begun } = await supertest(harness.url).post('/api/auth/device').expect(201);
    const sent = { name: 'x', scope: 'read', userCode: begun.userCode };
    const answers = await Promise.all(
      [person, other].map((each) => harness.as(each).post('/api/auth/tokens').send(sent)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  it('cannot be created with a terminal’s used code after they are revoked', async () => {
    const { person } = await member();
    const { body: begun } = await supertest(harness.url).post('/api/auth/device').expect(201);
    const { id } = (await make(person, { userCode: begun.userCode })) as { id: string };
    await harness.as(person).delete(`/api/auth/tokens/${id}`).expect(204);
    const sent = { name: 'x', scope: 'read', userCode: begun.userCode };
    await harness.as(person).post('/api/auth/tokens').send(sent).expect(400);
  });

  it('cannot be created while a password reset deletes the session', async () => {
    const { person } = await member();
    let ended = 0;
    const { sent } = await inTransaction(harness.context.db, async (tx) => {
      await deleteSessions(tx, person.id);
      const request = harness
        .as(person)
        .post('/api/auth/tokens')
        .send({ name: 'x', scope: 'write' });
      const answered = request.then((answer) => {
        ended += 1;
        return answer;
      });
      await until('the request', async () => ended + (await waitingForLocks()) > 0);
      return { sent: answered };
    });
    expect((await sent).status).toBe(401);
    expect(await harness.db.personalToken.count({ where: { userId: person.id } })).toBe(0);
  });

  const waitingForLocks = async () => {
    const [row] = await harness.db.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row?.n ?? 0;
  };

  it('expire after 90 days by default, and after at most one year', async () => {
    const { person } = await member();
    const { body } = await make(person);
    const days = (Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    for (const expiresInDays of [0, 366, 1.5, null, '90']) {
      const sent = { name: 'x', scope: 'read', expiresInDays };
      await harness.as(person).post('/api/auth/tokens').send(sent).expect(400);
    }
  });

  it('authenticate as their owner, without a cookie and from any origin', async () => {
    const { person, path } = await member();
    const { api, id } = await make(person);
    const { body: issue } = await api
      .post(`${path}/issues`)
      .set('Sec-Fetch-Site', 'cross-site')
      .send({ title: 'By a program' })
      .expect(201);
    const { body } = await api.get(`${path}/activity?entityId=${issue.id}`).expect(200);
    expect(body).toMatchObject([{ actorType: 'user', actorId: person.id }]);
    const [token] = (await harness.as(person).get('/api/auth/tokens').expect(200)).body;
    expect(token).toMatchObject({ id, lastUsedAt: expect.stringMatching(/Z$/) });
  });

  it('never exceed the current role of their owner', async () => {
    const { person, company, path } = await member('operator');
    const { api } = await make(person);
    const create = () => api.post(`${path}/issues`).send({ title: 'x' });
    await create().expect(201);
    const where = { companyId_userId: { companyId: company.id, userId: person.id } };
    await harness.db.membership.update({ where, data: { role: 'viewer' } });
    expect((await create().expect(403)).body.error).toBe('a viewer may only read');
    await api.get(`${path}/issues`).expect(200);
    await harness.db.membership.delete({ where });
    expect((await api.get(`${path}/issues`).expect(403)).body.code).toBe('cross_company');
  });

  it('allow access only to their company, and become invalid when the membership ends', async () => {
    const { person, company, path } = await member('owner');
    const second = await harness.build.company();
    const membership = await harness.join(person, second.id, 'owner');
    const { api, id } = await make(person, { companyId: second.id });
    expect((await api.get('/api/companies').expect(200)).body).toMatchObject([{ id: second.id }]);
    expect((await api.get(`${path}/issues`).expect(403)).body.code).toBe('cross_company');
    await api.get(`/api/companies/${second.id}/issues`).expect(200);
    await harness.founding.delete(`/api/companies/${second.id}/members/${membership}`).expect(204);
    expect((await api.get('/api/auth/session').expect(401)).body).toMatchObject(dead);
    expect(await harness.db.personalToken.count({ where: { id } })).toBe(0);
    await harness.join(person, second.id, 'owner');
    await api.get('/api/auth/session').expect(401);
    expect(company.id).not.toBe(second.id);
  });

  it('can be created only for companies of their owner', async () => {
    const { person } = await member();
    const elsewhere = await harness.build.company();
    const send = (companyId: string) =>
      harness.as(person).post('/api/auth/tokens').send({ name: 'x', scope: 'read', companyId });
    const refused = { code: 'cross_company', details: { field: 'companyId' } };
    expect((await send(elsewhere.id).expect(403)).body).toMatchObject(refused);
    const unknown = {
      code: 'unknown_reference',
      details: { field: 'companyId' },
      error: expect.stringMatching(/use the id of a company in GET \/api\/companies$/),
    };
    expect((await send(newId()).expect(422)).body).toMatchObject(unknown);
  });

  it('allow only reads if their scope is read', async () => {
    const { person, path } = await member('owner');
    const { api } = await make(person, { scope: 'read' });
    await api.get(`${path}/issues`).expect(200);
    const { body } = await api.post(`${path}/issues`).send({ title: 'x' }).expect(403);
    expect(body).toMatchObject({
      code: 'forbidden',
      error: 'this personal access token may only read: its scope is "read"',
    });
  });

  it('cannot be used to create credentials, invites or companies, or to change the password', async () => {
    const { path, company } = await member();
    const agent = await harness.build.agent({ companyId: company.id });
    const { api } = await make(harness.founder);
    const refused = 'a personal access token may not do this: sign in with a browser';
    const tries = [
      api.get('/api/auth/tokens'),
      api.post('/api/auth/tokens').send({ name: 'x', scope: 'write' }),
      api.delete('/api/auth/tokens'),
      api.get('/api/auth/sessions'),
      api.post('/api/auth/password').send({}),
      api.post(`/api/agents/${agent.id}/keys`).send({ name: 'x' }),
      api.post(`${path}/invites`).send({ role: 'owner' }),
      api.post('/api/companies').send({ name: 'Mine' }),
    ];
    for (const { status, body } of await Promise.all(tries)) {
      expect({ status, error: body.error }).toEqual({ status: 403, error: refused });
    }
    const session = await api.get('/api/auth/session').expect(200);
    expect(session.body.user.isAdministrator).toBe(false);
  });

  it('identify their owner in GET /api/auth/session', async () => {
    const { person, company } = await member('viewer');
    const { api, id, body } = await make(person, { scope: 'read' });
    const session = await api.get('/api/auth/session').expect(200);
    expect(session.body).toEqual({
      mode: 'authenticated',
      credential: 'personal_token',
      user: expect.objectContaining({ id: person.id, email: person.email, isAdministrator: false }),
      agent: null,
      token: { id, name: 'a program', scope: 'read', companyId: null, expiresAt: body.expiresAt },
      memberships: [expect.objectContaining({ companyId: company.id, role: 'viewer' })],
    });
    const browser = await harness.as(person).get('/api/auth/session').expect(200);
    expect(browser.body).toMatchObject({ credential: 'session', token: null, agent: null });
  });

  it('become invalid when revoked or expired, even if the request has a valid cookie', async () => {
    const { person } = await member();
    const board = harness.as(person);
    const [one, two, three] = [await make(person), await make(person), await make(person)];
    await board.delete(`/api/auth/tokens/${one.id}`).expect(204);
    await board.delete(`/api/auth/tokens/${one.id}`).expect(404);
    const past = { expiresAt: new Date(0) };
    await harness.db.personalToken.update({ where: { id: two.id }, data: past });
    for (const { api } of [one, two]) {
      const { body } = await api.get('/api/auth/session').set('Cookie', person.cookie).expect(401);
      expect(body).toMatchObject(dead);
    }
    await three.api.get('/api/auth/session').expect(200);
    await board.delete('/api/auth/tokens').expect(204);
    await three.api.get('/api/auth/session').expect(401);
    expect((await board.get('/api/auth/tokens').expect(200)).body).toEqual([]);
  });

  it('become invalid when the operator resets the password', async () => {
    const { person } = await member();
    const { api } = await make(person);
    const reset = await resetPassword(harness.context.db, person.email, 'another hash');
    expect(reset).toMatchObject({ revokedTokens: 1 });
    await api.get('/api/auth/session').expect(401);
  });

  it('become invalid when the operator revokes them', async () => {
    const { person, path } = await member();
    const { api } = await make(person);
    const revoke = () => administer(harness.context.db, ['revoke-tokens', person.email], stdin);
    expect(await revoke()).toBe(`personal access tokens of ${person.email} revoked: 1\n`);
    expect(await revoke()).toBe(`personal access tokens of ${person.email} revoked: 0\n`);
    await api.get('/api/auth/session').expect(401);
    const activity = `${path}/activity?action=person.tokens_revoked`;
    const { body } = await harness.founding.get(activity).expect(200);
    expect(body).toMatchObject([{ actorType: 'system', details: { revokedTokens: 1 } }]);
  });

  it('have their creation, first use and end recorded in each of their companies', async () => {
    const { person, company, path } = await member();
    const second = await harness.build.company();
    await harness.join(person, second.id, 'viewer');
    const { api, id, token } = await make(person, { companyId: company.id });
    await Promise.all(Array.from({ length: 5 }, () => api.get(`${path}/issues`).expect(200)));
    await harness.as(person).delete(`/api/auth/tokens/${id}`).expect(204);
    const of = async (companyId: string) =>
      (await harness.founding.get(`/api/companies/${companyId}/activity?entityId=${id}`)).body;
    const details = { name: 'a program', prefix: token.slice(0, 10) };
    expect(await of(company.id)).toMatchObject([
      { action: 'personal_token.revoked', actorId: person.id, details },
      {
        action: 'personal_token.used',
        actorId: person.id,
        details: { ...details, address: '127.0.0.1' },
      },
      {
        action: 'personal_token.created',
        actorId: person.id,
        details: { ...details, scope: 'write' },
      },
    ]);
    expect(await of(second.id)).toEqual([]);
  });

  it('record in the activity that the code of a terminal was used', async () => {
    const { person, path } = await member();
    const { body: begun } = await supertest(harness.url).post('/api/auth/device').expect(201);
    for (const used of [{}, { userCode: begun.userCode }]) await make(person, used);
    const { body } = await harness.founding
      .get(`${path}/activity?action=personal_token.created`)
      .expect(200);
    const [ofTerminal, ordinary] = body.map(({ details }: { details: object }) => details);
    expect(ofTerminal).toMatchObject({ forTerminal: true });
    expect(ordinary).not.toHaveProperty('forTerminal');
  });

  it('cause fewer SQL statements per request than a session', async () => {
    const { person, path } = await member();
    const { api } = await make(person);
    await api.get(`${path}/goals`).expect(200);
    const query = jest.spyOn(harness.context.db.pool, 'query');
    try {
      await api.get(`${path}/goals`).expect(200);
      const byToken = query.mock.calls.length;
      query.mockClear();
      await harness.as(person).get(`${path}/goals`).expect(200);
      expect(byToken).toBeLessThan(query.mock.calls.length);
    } finally {
      query.mockRestore();
    }
  });

  it('can be revoked once: of two concurrent revocations, one returns 404', async () => {
    const { person } = await member();
    const { id } = await make(person);
    const board = harness.as(person);
    const statuses = await Promise.all(
      [1, 2].map(async () => (await board.delete(`/api/auth/tokens/${id}`)).status),
    );
    expect(statuses.sort()).toEqual([204, 404]);
  });

  it('disappear a month after their expiry', async () => {
    const { person } = await member();
    const [old, recent] = [await make(person), await make(person)];
    const ended = async (id: string, days: number) =>
      harness.db.personalToken.update({
        where: { id },
        data: { expiresAt: new Date(Date.now() - days * 86_400_000) },
      });
    await ended(old.id, 31);
    await ended(recent.id, 29);
    await pruneTokens(harness.context, 100);
    const { body } = await harness.as(person).get('/api/auth/tokens').expect(200);
    expect(body.map((row: PersonalTokenView) => row.id)).toEqual([recent.id]);
  });
});

describe('authentication in local trusted mode', () => {
  const harness = useHarness();

  it('rejects personal access tokens, and does not create any', async () => {
    const { api } = harness;
    const { body } = await api
      .post('/api/auth/tokens')
      .send({ name: 'x', scope: 'read' })
      .expect(409);
    expect(body.error).toBe('members and sign-in require AUTH_MODE=authenticated');
    expect((await api.get('/api/auth/tokens').expect(200)).body).toEqual([]);
    const forged = `Bearer syp_${'x'.repeat(43)}`;
    await api.get('/api/companies').set('Authorization', forged).expect(401);
  });

  it('reports the local board as the session, or the agent to which a credential belongs', async () => {
    const { api, build } = harness;
    expect((await api.get('/api/auth/session').expect(200)).body).toMatchObject({
      mode: 'local',
      credential: 'none',
      user: { id: 'local-board' },
      agent: null,
    });
    const agent = await build.agent();
    const run = await build.liveRun(agent);
    const said = async (authorization: string) =>
      (await api.get('/api/auth/session').set('Authorization', authorization).expect(200)).body;
    expect(await said(run.authorization)).toMatchObject({
      mode: 'local',
      credential: 'run_token',
      user: null,
      agent: { id: agent.id, companyId: agent.companyId, runId: run.id },
    });
    expect(await said(await build.apiKey(agent.id))).toMatchObject({
      credential: 'api_key',
      agent: { id: agent.id, runId: null },
    });
  });
});
