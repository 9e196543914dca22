import { createHash } from 'node:crypto';
import { openGate, redisUrl, until } from '@switchyard/testing';
import { Redis } from 'ioredis';
import supertest from 'supertest';
import {
  cookieOf,
  type Operator,
  PASSWORD,
  SIGN_IN,
  useAuthenticatedHarness,
} from '../../../test/authenticated-harness';
import { readRedis } from '../../../test/canaries';
import { openEventClient } from '../../../test/event-client';
import { startReplica } from '../../../test/replica';
import { eventStreams } from '../../features/events/event-streams';

const idIn = ({ cookie }: Pick<Operator, 'cookie'>) =>
  /=s:([^.]+)\./.exec(decodeURIComponent(cookie))?.[1] as string;

const hashOf = (sessionId: string) =>
  new Uint8Array(createHash('sha256').update(sessionId).digest());

describe('sessions', () => {
  const harness = useAuthenticatedHarness();
  const read = (cookie: string) => harness.api.get('/api/auth/session').set('Cookie', cookie);
  const find = (someone: Pick<Operator, 'cookie'>) =>
    harness.db.session.findUnique({ where: { hash: hashOf(idIn(someone)) } });
  const age = (someone: Operator, column: 'created_at' | 'last_seen_at', sec: number) =>
    harness.context.db.pool.query(
      `UPDATE session SET ${column} = now() - make_interval(secs => $1) WHERE hash = $2`,
      [sec, Buffer.from(hashOf(idIn(someone)))],
    );
  const secondsLeft = async (someone: Operator) =>
    (((await find(someone))?.expiresAt.getTime() ?? 0) - Date.now()) / 1_000;

  it('start at login with a Secure, HttpOnly, SameSite=Lax cookie', async () => {
    const someone = await harness.person();
    const answer = await harness.logIn(someone);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { id: someone.id, email: someone.email, name: expect.any(String) },
    });
    const cookies = answer.headers['set-cookie'] as unknown as string[];
    const cookie = cookies.find((text) => text.startsWith('__Host-service.sid='));
    const attributes = (cookie as string).split('; ').slice(1).sort();
    expect(attributes).toEqual([
      expect.stringMatching(/^Expires=/),
      'HttpOnly',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(cookie).toMatch(/^__Host-service\.sid=/);
    const session = await read(cookieOf(answer)).expect(200);
    const user = { ...answer.body.user, isAdministrator: false, hasPassword: true };
    expect(session.body).toEqual({
      mode: 'authenticated',
      credential: 'session',
      user,
      agent: null,
      token: null,
      memberships: [],
    });
  });

  it('include the memberships of the signed-in person', async () => {
    const company = await harness.build.company();
    const someone = await harness.operator(company.id, 'viewer');
    const { body } = await read(someone.cookie).expect(200);
    expect(body.memberships).toEqual([
      {
        id: expect.any(String),
        companyId: company.id,
        companyName: company.name,
        role: 'viewer',
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('require an unmodified, signed cookie of an existing session', async () => {
    const someone = await harness.operator();
    const id = decodeURIComponent(someone.cookie).split('.')[1]?.slice(6);
    const bad = [
      'other=1',
      '__Host-service.sid=',
      '__Host-service.sid=x',
      `__Host-service.sid=${id}`,
      `__Host-service.sid=s%3A${id}.forged`,
      `${someone.cookie}x`,
      `x${someone.cookie}`,
    ];
    for (const cookie of bad) {
      const refused = await read(cookie).expect(401);
      expect(refused.body.code).toBe('unauthenticated');
      expect(refused.headers['set-cookie']).toBeUndefined();
    }
    await read(`other=1; ${someone.cookie}`).expect(200);
  });

  it('get a new id at login, so an id from before the login becomes invalid', async () => {
    const attacker = await harness.operator();
    const victim = await harness.person();
    const answer = await harness.api
      .post('/api/auth/login')
      .set('Cookie', attacker.cookie)
      .send({ email: victim.email, password: PASSWORD });
    const fresh = cookieOf(answer);
    expect(fresh).not.toBe(attacker.cookie);
    expect((await read(fresh).expect(200)).body.user.id).toBe(victim.id);
    await read(attacker.cookie).expect(401);
    const planted = '__Host-service.sid=s%3Aplanted.signature';
    const other = await harness.api
      .post('/api/auth/login')
      .set('Cookie', planted)
      .send({ email: victim.email, password: PASSWORD });
    expect(cookieOf(other)).not.toContain('planted');
  });

  it('end at logout and are deleted from the database, while a second logout changes nothing', async () => {
    const someone = await harness.operator();
    const logOut = () => harness.api.post('/api/auth/logout').set('Cookie', someone.cookie);
    const answer = await logOut().expect(204);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-service\.sid=; .*Expires=Thu, 01 Jan 1970/,
    );
    await read(someone.cookie).expect(401);
    expect(await find(someone)).toBeNull();
    await logOut().expect(204);
    await harness.api.post('/api/auth/logout').expect(204);
  });

  it('end after the idle time, which requests extend at most once per minute', async () => {
    const someone = await harness.operator();
    const { idleSec } = SIGN_IN.session;
    const begun = await find(someone);
    await read(someone.cookie).expect(200);
    expect(await find(someone)).toEqual(begun);
    await harness.db.session.updateMany({
      where: { userId: someone.id },
      data: { expiresAt: new Date(Date.now() + 60_000) },
    });
    await age(someone, 'last_seen_at', 61);
    await read(someone.cookie).expect(200);
    expect(await secondsLeft(someone)).toBeGreaterThan(60);
    expect(await secondsLeft(someone)).toBeLessThanOrEqual(idleSec);
    await harness.db.session.updateMany({
      where: { userId: someone.id },
      data: { expiresAt: new Date() },
    });
    await read(someone.cookie).expect(401);
    await read(someone.cookie).expect(401);
  });

  it('end at the absolute limit, even if they are in use', async () => {
    const someone = await harness.operator();
    const { absoluteSec } = SIGN_IN.session;
    await age(someone, 'created_at', absoluteSec - 90);
    await age(someone, 'last_seen_at', 61);
    await read(someone.cookie).expect(200);
    expect(await secondsLeft(someone)).toBeLessThanOrEqual(90);
    await age(someone, 'created_at', absoluteSec + 1);
    await read(someone.cookie).expect(401);
  });

  it('end when the person or the session row is deleted', async () => {
    const [removed, ended] = [await harness.operator(), await harness.operator()];
    await harness.db.person.delete({ where: { id: removed.id } });
    await read(removed.cookie).expect(401);
    await harness.db.session.deleteMany({ where: { userId: ended.id } });
    await read(ended.cookie).expect(401);
    expect(await find(ended)).toBeNull();
  });

  it('have no effect if the request has an Authorization header', async () => {
    const company = await harness.build.company();
    const owner = await harness.operator(company.id, 'owner');
    const agent = await harness.build.agent({ companyId: company.id });
    const key = await harness.build.apiKey(agent.id);
    const both = (authorization: string) =>
      harness.api
        .patch(`/api/companies/${company.id}`)
        .set('Cookie', owner.cookie)
        .set('Authorization', authorization)
        .send({ name: 'x' });
    expect((await both('Bearer garbage').expect(401)).headers['set-cookie']).toBeUndefined();
    expect((await both('').expect(401)).body.code).toBe('unauthenticated');
    expect((await both(key).expect(403)).body.code).toBe('board_only');
    await harness.api
      .post('/api/auth/logout')
      .set('Cookie', owner.cookie)
      .set('Authorization', key)
      .expect(204);
    await read(owner.cookie).expect(200);
  });

  it('have only a row, with the user agent and a hash of the session id', async () => {
    const someone = await harness.person();
    const logIn = harness.api
      .post('/api/auth/login')
      .set('User-Agent', `Browser ${'x'.repeat(900)}`);
    const answer = await logIn.send({ email: someone.email, password: PASSWORD }).expect(200);
    const cookie = cookieOf(answer);
    const row = await find({ cookie });
    expect(row).toMatchObject({ userId: someone.id, userAgent: `Browser ${'x'.repeat(292)}` });
    const rows = await harness.context.db.pool.query(
      'SELECT to_jsonb(s)::text AS text FROM session s',
    );
    for (const { text } of rows.rows) expect(text).not.toContain(idIn({ cookie }));
    const id = Buffer.from(idIn({ cookie })).toString('hex');
    for (const { text } of rows.rows) expect(text).not.toContain(id);
    for (const [place, content] of await readRedis(harness.config.redisPrefix)) {
      for (const secret of [someone.id, someone.email, idIn({ cookie }), 'userId']) {
        expect({ place, holds: content.includes(secret) }).toEqual({ place, holds: false });
      }
    }
  });

  it('cannot be forged with a Redis entry or with the signature of another id', async () => {
    const [mallory, alice] = [await harness.operator(), await harness.operator()];
    const redis = new Redis(redisUrl());
    const planted = { userId: alice.id, signedInAt: Date.now(), cookie: { originalMaxAge: 3.6e6 } };
    const key = `${harness.config.redisPrefix}:session:${idIn(mallory)}`;
    await redis.set(key, JSON.stringify(planted));
    expect((await read(mallory.cookie).expect(200)).body.user.id).toBe(mallory.id);
    await harness.db.session.deleteMany({ where: { userId: mallory.id } });
    await read(mallory.cookie).expect(401);
    await redis.del(key);
    redis.disconnect();
    const row = await find(alice);
    const hash = Buffer.from(row?.hash as Uint8Array);
    for (const value of [hash.toString('hex'), hash.toString('base64url'), row?.id as string]) {
      const signature = decodeURIComponent(alice.cookie).split('.').slice(2).join('.');
      await read(`__Host-service.sid=${encodeURIComponent(`s:${value}.${signature}`)}`).expect(401);
    }
    await read(alice.cookie).expect(200);
  });

  it('do not reappear if they are deleted while a request is in flight', async () => {
    for (let round = 0; round < 5; round++) {
      const someone = await harness.operator();
      await age(someone, 'last_seen_at', 61);
      const asked = Array.from({ length: 6 }, () => read(someone.cookie));
      const ended = harness.db.session.deleteMany({ where: { userId: someone.id } });
      const statuses = (await Promise.all(asked)).map((answer) => answer.status);
      await ended;
      expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
      await read(someone.cookie).expect(401);
      expect(await find(someone)).toBeNull();
    }
  });
});

describe('an open event stream', () => {
  const limits = {
    max: 10,
    maxPerCompany: 10,
    maxPerCaller: 10,
    heartbeatMs: 50,
    recheckMs: 50,
    pollMs: 2_000,
    stallMs: 30_000,
  };
  const harness = useAuthenticatedHarness({ config: { eventStreams: limits } });

  it('ends when the session ends or the person loses the membership', async () => {
    const company = await harness.build.company();
    const open = ({ cookie }: Operator) => openEventClient(harness.url, company.id, { cookie });
    const [leaving, removed, staying] = [
      await harness.operator(company.id),
      await harness.operator(company.id),
      await harness.operator(company.id),
    ];
    const streams = [await open(leaving), await open(removed), await open(staying)] as const;
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await harness.as(leaving).post('/api/auth/logout').expect(204);
    await harness.db.membership.deleteMany({ where: { userId: removed.id } });
    expect(await streams[0].ended).toBe('complete');
    expect(await streams[1].ended).toBe('complete');
    await harness.build.issue({ companyId: company.id });
    await until('the event', () =>
      streams[2].events().some(({ name }) => name === 'issue.created'),
    );
    streams[2].close();
    await until('all streams to be gone', () => eventStreams(harness.context).count() === 0);
  });
});

describe('sessions during an outage', () => {
  const harness = useAuthenticatedHarness();

  const through = async (what: 'redisUrl' | 'databaseUrl') => {
    const gate = await openGate(what === 'redisUrl' ? redisUrl() : harness.config[what]);
    const replica = await startReplica({ ...harness.config, [what]: gate.url });
    return {
      gate,
      replica,
      url: replica.url,
      close: async () => {
        await replica.close();
        await gate.close();
      },
    };
  };

  it('work without Redis: people can sign in, write and sign out, and agents can call the API', async () => {
    const { gate, replica, url, close } = await through('redisUrl');
    try {
      const company = await harness.build.company();
      const someone = await harness.operator(company.id);
      const agent = await harness.build.agent({ companyId: company.id });
      const key = await harness.build.apiKey(agent.id);
      await gate.shut();
      const account = { email: someone.email, password: PASSWORD };
      const answer = await supertest(url).post('/api/auth/login').send(account).expect(200);
      const board = supertest.agent(url).set('Cookie', cookieOf(answer));
      const issues = `/api/companies/${company.id}/issues`;
      await board.post(issues).send({ title: 'x' }).expect(201);
      await board.post('/api/auth/logout').expect(204);
      await board.get('/api/companies').expect(401);
      await supertest(url).get('/api/agents/me').set('Authorization', key).expect(200);
    } finally {
      await gate.open();
      await until('Redis', () => replica.context.queues.producer.ping().catch(() => false));
      await close();
    }
  });

  it('remain valid after an outage of the database, during which requests return 503', async () => {
    const { gate, url, close } = await through('databaseUrl');
    try {
      const someone = await harness.operator();
      const board = supertest.agent(url).set('Cookie', someone.cookie);
      await board.get('/api/auth/session').expect(200);
      await gate.shut();
      const account = { email: someone.email, password: PASSWORD };
      for (const request of [
        board.get('/api/companies'),
        board.post('/api/auth/logout'),
        board.get('/api/auth/sessions'),
        supertest(url).post('/api/auth/login').send(account),
      ]) {
        const refused = await request;
        expect(refused.status).toBe(503);
        expect(refused.body.code).toBe('unavailable');
        expect(refused.headers['retry-after']).toBeDefined();
        expect(refused.headers['set-cookie']?.[0] ?? '').not.toContain('1970');
      }
      await gate.open();
      const again = async () => (await board.get('/api/auth/session')).status === 200;
      await until('sessions', again);
    } finally {
      await close();
    }
  });
});
