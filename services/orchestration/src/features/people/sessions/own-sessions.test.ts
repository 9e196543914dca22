import { newId } from '@switchyard/db';
import type { BrowserSessionView } from '@switchyard/types';
import {
  cookieOf,
  PASSWORD,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';
import { useHarness } from '../../../../test/harness';
import { walkPages } from '../../../../test/walk-pages';

describe('session routes', () => {
  const harness = useAuthenticatedHarness();
  const signIn = async (email: string, agent: string) => {
    const request = harness.api.post('/api/auth/login').set('User-Agent', agent);
    const cookie = cookieOf(await request.send({ email, password: PASSWORD }).expect(200));
    return harness.as({ cookie });
  };
  const list = async (board: { get: typeof harness.founding.get }) =>
    (await board.get('/api/auth/sessions').expect(200)).body as BrowserSessionView[];

  it('return sessions newest first, with the browser but without the secret of the cookie', async () => {
    const someone = await harness.person();
    const home = await signIn(someone.email, 'Firefox');
    const phone = await signIn(someone.email, 'Safari');
    await harness.operator();
    const sessions = await list(home);
    expect(sessions).toEqual([
      expect.objectContaining({ current: false, userAgent: 'Safari' }),
      {
        id: expect.any(String),
        current: true,
        userAgent: 'Firefox',
        address: '127.0.0.1',
        createdAt: expect.stringMatching(/Z$/),
        lastSeenAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await list(phone)).map(({ current }) => current)).toEqual([true, false]);
    const api = { api: home } as never;
    expect(await walkPages<BrowserSessionView>(api, '/api/auth/sessions', 1)).toEqual(sessions);
    const rows = await harness.db.session.findMany({ where: { userId: someone.id } });
    for (const { hash } of rows) {
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        expect(JSON.stringify(sessions)).not.toContain(Buffer.from(hash).toString(form));
      }
    }
    await harness.db.session.updateMany({
      where: { id: sessions[0]?.id as string },
      data: { expiresAt: new Date() },
    });
    expect(await list(home)).toHaveLength(1);
  });

  it('end a single session with immediate effect', async () => {
    const company = await harness.build.company();
    const someone = await harness.person();
    await harness.join(someone, company.id, 'viewer');
    const home = await signIn(someone.email, 'Firefox');
    const phone = await signIn(someone.email, 'Safari');
    const [other, own] = await list(home);
    await home.delete(`/api/auth/sessions/${other?.id}`).expect(204, '');
    await phone.get('/api/auth/session').expect(401);
    await home.delete(`/api/auth/sessions/${other?.id}`).expect(404);
    const answer = await home.delete(`/api/auth/sessions/${own?.id}`).expect(204);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-service\.sid=; .*Expires=Thu, 01 Jan 1970/,
    );
    await home.get('/api/auth/session').expect(401);
    const { body } = await harness.founding
      .get(`/api/companies/${company.id}/activity?action=person.session_ended`)
      .expect(200);
    expect(body.map((row: { details: object }) => row.details)).toEqual([
      { sessionId: own?.id },
      { sessionId: other?.id },
    ]);
  });

  it('return 404 for a session of another person and for a malformed id', async () => {
    const [victim, mallory] = [await harness.operator(), await harness.operator()];
    const [session] = await list(harness.as(victim));
    const before = await everything(harness);
    for (const id of [session?.id, newId(), 'x', "x' OR '1'='1"]) {
      const path = `/api/auth/sessions/${encodeURIComponent(id as string)}`;
      expect((await harness.as(mallory).delete(path).expect(404)).body.code).toBe('not_found');
    }
    expect(await everything(harness)).toEqual(before);
    await harness.as(victim).get('/api/auth/session').expect(200);
  });

  it('end all sessions except the current one', async () => {
    const someone = await harness.operator();
    const others = [await harness.logIn(someone), await harness.logIn(someone)];
    const stranger = await harness.operator();
    const board = harness.as(someone);
    await board.delete('/api/auth/sessions').expect(204);
    await board.delete('/api/auth/sessions').expect(204);
    await board.get('/api/auth/session').expect(200);
    for (const other of others) {
      await harness
        .as({ cookie: cookieOf(other) })
        .get('/api/auth/session')
        .expect(401);
    }
    await harness.as(stranger).get('/api/auth/session').expect(200);
    expect(await list(board)).toMatchObject([{ current: true }]);
  });

  it('reject every request of a session after its end, even a concurrent request', async () => {
    const company = await harness.build.company();
    const path = `/api/companies/${company.id}/issues`;
    for (let round = 0; round < 5; round++) {
      const someone = await harness.operator(company.id);
      const other = harness.as({ cookie: cookieOf(await harness.logIn(someone)) });
      const board = harness.as(someone);
      const target = (await list(board)).find(({ current }) => !current)?.id;
      const answers = await Promise.all([
        board.delete(`/api/auth/sessions/${target}`),
        ...Array.from({ length: 5 }, () => other.post(path).send({ title: 'x' })),
      ]);
      expect(answers[0]?.status).toBe(204);
      for (const { status } of answers.slice(1)) expect([201, 401]).toContain(status);
      await other.post(path).send({ title: 'x' }).expect(401);
      await board.get('/api/auth/session').expect(200);
    }
  });

  it('leave at most one of two sessions that end each other concurrently', async () => {
    const someone = await harness.operator();
    const other = harness.as({ cookie: cookieOf(await harness.logIn(someone)) });
    const board = harness.as(someone);
    const answers = await Promise.all([
      board.delete('/api/auth/sessions'),
      other.delete('/api/auth/sessions'),
    ]);
    for (const { status } of answers) expect([204, 401]).toContain(status);
    expect(await harness.db.session.count({ where: { userId: someone.id } })).toBeLessThan(2);
  });
});

describe('sessions in local trusted mode', () => {
  const harness = useHarness();

  it('do not exist, and no password can be changed', async () => {
    const { api } = harness;
    expect((await api.get('/api/auth/sessions').expect(200)).body).toEqual([]);
    for (const write of [
      api.delete('/api/auth/sessions'),
      api.delete(`/api/auth/sessions/${newId()}`),
      api.post('/api/auth/password').send({ currentPassword: 'x', newPassword: PASSWORD }),
    ]) {
      expect((await write.expect(409)).body.error).toContain(
        'members and sign-in require AUTH_MODE=authenticated',
      );
    }
  });
});
