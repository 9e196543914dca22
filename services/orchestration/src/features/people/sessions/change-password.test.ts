import {
  cookieOf,
  knownBrowserOf,
  type Operator,
  PASSWORD,
  SIGN_IN,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';
import { createPasswords } from '../../../access/sign-in/passwords';
import { signInOf } from '../../../access/sign-in/sign-in';

const NEW = 'another horse battery staple';

describe('POST /api/auth/password', () => {
  const harness = useAuthenticatedHarness();
  const change = (
    { cookie }: Pick<Operator, 'cookie'>,
    newPassword = NEW,
    currentPassword = PASSWORD,
  ) => harness.as({ cookie }).post('/api/auth/password').send({ currentPassword, newPassword });
  const read = ({ cookie }: Pick<Operator, 'cookie'>) =>
    harness.as({ cookie }).get('/api/auth/session');

  it('ends all other sessions of the person, and renews the id of this session', async () => {
    const company = await harness.build.company();
    const someone = await harness.operator(company.id, 'viewer');
    const elsewhere = { cookie: cookieOf(await harness.logIn(someone)) };
    const stranger = await harness.operator();
    const { createdAt, expiresAt } = await harness.db.session.findFirstOrThrow({
      where: { userId: someone.id },
      orderBy: { createdAt: 'asc' },
    });
    const answer = await change(someone).expect(204, '');
    const fresh = { cookie: cookieOf(answer) };
    expect(fresh.cookie).not.toBe(someone.cookie);
    await read(fresh).expect(200);
    await read(someone).expect(401);
    await read(elsewhere).expect(401);
    await read(stranger).expect(200);
    const left = await harness.db.session.findMany({ where: { userId: someone.id } });
    expect(left).toMatchObject([{ createdAt, expiresAt }]);
    expect((await harness.logIn(someone)).status).toBe(401);
    expect((await harness.logIn(someone, NEW)).status).toBe(200);
    const { body } = await harness.founding
      .get(`/api/companies/${company.id}/activity?action=person.password_changed`)
      .expect(200);
    expect(body).toMatchObject([{ actorId: someone.id, details: { endedSessions: 1 } }]);
    expect(JSON.stringify(body)).not.toContain(NEW);
  });

  it('does not wait in the queue of other sign-ins if the browser is known', async () => {
    const someone = await harness.person();
    const signedIn = await harness.logIn(someone);
    const cookie = `${cookieOf(signedIn)}; ${knownBrowserOf(signedIn)}`;
    const signIn = signInOf(harness.context);
    const roomy = signIn?.passwords;
    const full = { atOnce: 0, waitingEach: 0, waitingInAll: 0 };
    Object.assign(signIn ?? {}, { passwords: createPasswords(4, full) });
    expect((await harness.logIn(someone)).status).toBe(429);
    const { status } = await change({ cookie });
    Object.assign(signIn ?? {}, { passwords: roomy });
    expect(status).toBe(204);
  });

  it('rejects a wrong current password, and counts it as a failed sign-in', async () => {
    const someone = await harness.operator();
    const before = await everything(harness);
    for (let at = 0; at < SIGN_IN.throttle.perAccountAndAddress; at++) {
      const refused = await change(someone, NEW, `wrong guess ${at}`).expect(403);
      expect(refused.body.code).toBe('wrong_password');
    }
    const late = await change(someone).expect(429);
    expect(late.headers['retry-after']).toBeDefined();
    expect((await harness.logIn(someone)).status).toBe(429);
    expect(await everything(harness)).toEqual(before);
    await read(someone).expect(200);
  });

  it('accepts only 12 to 128 characters as the new password', async () => {
    const someone = await harness.operator();
    const before = await everything(harness);
    const wrong: [object, string][] = [
      [{}, 'currentPassword'],
      [{ currentPassword: PASSWORD }, 'newPassword'],
      [{ currentPassword: PASSWORD, newPassword: 'x'.repeat(11) }, 'newPassword'],
      [{ currentPassword: PASSWORD, newPassword: 'x'.repeat(129) }, 'newPassword'],
      [{ currentPassword: PASSWORD, newPassword: `long enough \ud800` }, 'newPassword'],
      [{ currentPassword: 'x'.repeat(129), newPassword: NEW }, 'currentPassword'],
      [{ currentPassword: PASSWORD, newPassword: NEW, userId: harness.founder.id }, 'userId'],
    ];
    for (const [body, field] of wrong) {
      const refused = await harness.as(someone).post('/api/auth/password').send(body).expect(400);
      expect(refused.body.details[0].path).toEqual([field]);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('returns 403 to agents', async () => {
    const agent = await harness.build.agent();
    const run = await harness.build.liveRun(agent);
    const key = await harness.build.apiKey(agent.id);
    for (const authorization of [key, run.authorization]) {
      const asked = [
        harness.api.post('/api/auth/password').send({ currentPassword: 'x', newPassword: NEW }),
        harness.api.get('/api/auth/sessions'),
        harness.api.delete('/api/auth/sessions'),
      ];
      for (const request of asked) {
        const refused = await request.set('Authorization', authorization).expect(403);
        expect(refused.body.code).toBe('board_only');
      }
    }
    await harness.api.post('/api/auth/password').send({}).expect(401);
  });

  it('succeeds for only one of two concurrent changes', async () => {
    for (let round = 0; round < 5; round++) {
      const someone = await harness.operator();
      const elsewhere = { ...someone, cookie: cookieOf(await harness.logIn(someone)) };
      const passwords = [`${NEW} 1`, `${NEW} 2`] as const;
      const answers = await Promise.all([
        change(someone, passwords[0]),
        change(elsewhere, passwords[1]),
      ]);
      const winner = answers.findIndex((answer) => answer.status === 204);
      const [won, lost] = [answers[winner], answers[1 - winner]];
      expect([401, 403]).toContain(lost?.status);
      await read({ cookie: cookieOf(won as never) }).expect(200);
      expect(await harness.db.session.count({ where: { userId: someone.id } })).toBe(1);
      expect((await harness.logIn(someone, passwords[winner])).status).toBe(200);
      expect((await harness.logIn(someone, passwords[1 - winner])).status).toBe(401);
    }
  });

  it('ends a session that a concurrent sign-in started with the old password', async () => {
    for (let round = 0; round < 5; round++) {
      const someone = await harness.operator();
      const [changed, ...logins] = await Promise.all([
        change(someone),
        harness.logIn(someone),
        harness.logIn(someone),
        harness.logIn(someone),
      ]);
      expect(changed.status).toBe(204);
      for (const login of logins) {
        expect([200, 401]).toContain(login.status);
        if (login.status === 200) await read({ cookie: cookieOf(login) }).expect(401);
      }
      expect(await harness.db.session.count({ where: { userId: someone.id } })).toBe(1);
    }
  });

  it('does not change the password if the session ends concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const someone = await harness.operator();
      const [changed] = await Promise.all([
        change(someone),
        harness.db.session.deleteMany({ where: { userId: someone.id } }),
      ]);
      expect([204, 401]).toContain(changed.status);
      const password = changed.status === 204 ? NEW : PASSWORD;
      expect((await harness.logIn(someone, password)).status).toBe(200);
    }
  });
});
