import { redisUrl, until } from '@switchyard/testing';
import { Redis } from 'ioredis';
import supertest from 'supertest';
import {
  cookieOf,
  type Operator,
  PASSWORD,
  PUBLIC_URL,
  SIGN_IN,
  useAuthenticatedHarness,
} from '../../test/authenticated-harness';
import { openEventClient } from '../../test/event-client';
import { startHarness } from '../../test/harness';
import { openRedisGate } from '../../test/redis-gate';

describe('sessions (guarantee G25)', () => {
  const harness = useAuthenticatedHarness();
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(redisUrl());
  });
  afterAll(() => redis.disconnect());

  const read = (cookie: string) => harness.api.get('/api/auth/session').set('Cookie', cookie);
  /** `service.sid=s%3A<id>.<signature>` names the key under which the session is stored. */
  const keyOf = ({ cookie }: Operator) => {
    const id = /=s:([^.]+)\./.exec(decodeURIComponent(cookie))?.[1];
    return `${harness.config.redisPrefix}:session:${id}`;
  };

  it('are begun by a login with a cookie of the right flags', async () => {
    const someone = await harness.person();
    const answer = await harness.logIn(someone);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { id: someone.id, email: someone.email, name: expect.any(String) },
    });
    const cookies = answer.headers['set-cookie'] as unknown as string[];
    const cookie = cookies.find((text) => text.startsWith('service.sid='));
    const attributes = (cookie as string).split('; ').slice(1).sort();
    expect(attributes).toEqual([
      expect.stringMatching(/^Expires=/),
      'HttpOnly',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(cookie).toMatch(/^service\.sid=/);
    const session = await read(cookieOf(answer)).expect(200);
    expect(session.body).toEqual({ ...answer.body, memberships: [] });
  });

  it('show the memberships of their person', async () => {
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

  it('are nobody without a cookie, with a garbled, unsigned or unknown one', async () => {
    const someone = await harness.operator();
    const id = decodeURIComponent(someone.cookie).split('.')[1]?.slice(6);
    const bad = [
      'other=1',
      'service.sid=',
      'service.sid=x',
      `service.sid=${id}`,
      `service.sid=s%3A${id}.forged`,
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

  it('get a new id at login: one that was planted or held before is worth nothing', async () => {
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
    const planted = 'service.sid=s%3Aplanted.signature';
    const other = await harness.api
      .post('/api/auth/login')
      .set('Cookie', planted)
      .send({ email: victim.email, password: PASSWORD });
    expect(cookieOf(other)).not.toContain('planted');
  });

  it('end at logout, in the store too, and a second logout changes nothing', async () => {
    const someone = await harness.operator();
    const logOut = () => harness.api.post('/api/auth/logout').set('Cookie', someone.cookie);
    const answer = await logOut().expect(204);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^service\.sid=; .*Expires=Thu, 01 Jan 1970/);
    await read(someone.cookie).expect(401);
    expect(await redis.exists(keyOf(someone))).toBe(0);
    await logOut().expect(204);
    await harness.api.post('/api/auth/logout').expect(204);
  });

  it('end when they were idle too long, and each request prolongs them', async () => {
    const someone = await harness.operator();
    const { idleSec } = SIGN_IN.session;
    await redis.expire(keyOf(someone), 60);
    await read(someone.cookie).expect(200);
    const left = await until('the prolonged session', async () => {
      const ttl = await redis.ttl(keyOf(someone));
      return ttl > 60 && ttl;
    });
    expect(left).toBeLessThanOrEqual(idleSec);
    await redis.pexpire(keyOf(someone), 1);
    await until('the end of the session', async () => !(await redis.exists(keyOf(someone))));
    await read(someone.cookie).expect(401);
  });

  it('end at the absolute limit, however busy they are, and never live beyond it', async () => {
    const someone = await harness.operator();
    const { absoluteSec } = SIGN_IN.session;
    const age = async (sec: number) => {
      const stored = JSON.parse((await redis.get(keyOf(someone))) as string);
      const signedInAt = Date.now() - sec * 1000;
      const text = JSON.stringify({ ...stored, signedInAt });
      await redis.set(keyOf(someone), text, 'KEEPTTL');
    };
    await age(absoluteSec - 90);
    await read(someone.cookie).expect(200);
    await until('the shortened life', async () => (await redis.ttl(keyOf(someone))) <= 90);
    await age(absoluteSec + 1);
    await read(someone.cookie).expect(401);
    expect(await redis.exists(keyOf(someone))).toBe(0);
  });

  it('are over with their person', async () => {
    const someone = await harness.operator();
    await harness.db.person.delete({ where: { id: someone.id } });
    await read(someone.cookie).expect(401);
  });

  it('are not looked at beside an Authorization header', async () => {
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

  it('hold no secret', async () => {
    const someone = await harness.operator();
    const stored = JSON.parse((await redis.get(keyOf(someone))) as string);
    expect(Object.keys(stored).sort()).toEqual(['cookie', 'signedInAt', 'userId']);
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

  it('ends with its session, and with the membership of its person', async () => {
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
    await until('the event', () => streams[2].events().length === 1);
    streams[2].close();
    await until('all streams to be gone', () => harness.context.events.count() === 0);
  });
});

describe('while Redis is away', () => {
  it('people get 503 and agents go on', async () => {
    const gate = await openRedisGate();
    const config = { redisUrl: gate.url, publicUrl: PUBLIC_URL, signIn: SIGN_IN };
    const harness = await startHarness({ config });
    const { api, db, context } = harness;
    try {
      const { email, passwordHash } = {
        email: 'ada@example.com',
        passwordHash: await context.signIn?.passwords.hash(PASSWORD),
      };
      const id = '0190f0f0-0000-7000-8000-000000000001';
      await db.person.create({
        data: { id, email, name: 'Ada', passwordHash: passwordHash as string },
      });
      const logIn = () => api.post('/api/auth/login').send({ email, password: PASSWORD });
      const board = supertest.agent(harness.url).set('Cookie', cookieOf(await logIn().expect(200)));
      const { body: company } = await board
        .post('/api/companies')
        .send({ name: 'Acme' })
        .expect(201);
      const { body: agent } = await board
        .post(`/api/companies/${company.id}/agents`)
        .send({ name: 'Grace', adapterType: 'scripted' })
        .expect(201);
      const { body: key } = await board.post(`/api/agents/${agent.id}/keys`).expect(201);

      await gate.shut();
      for (const request of [
        board.get('/api/companies'),
        board.post('/api/companies').send({ name: 'x' }),
        board.post('/api/auth/logout'),
        logIn(),
      ]) {
        const refused = await request;
        expect(refused.status).toBe(503);
        expect(refused.body.code).toBe('unavailable');
        expect(refused.headers['retry-after']).toBeDefined();
      }
      await api.get('/api/companies').expect(401);
      const authorization = `Bearer ${key.key}`;
      await api.get('/api/agents/me').set('Authorization', authorization).expect(200);
      const issues = `/api/companies/${company.id}/issues`;
      await api.post(issues).set('Authorization', authorization).send({ title: 'x' }).expect(201);

      await gate.open();
      await until('sessions', async () => (await board.get('/api/companies')).status === 200);
    } finally {
      await harness.close();
      await gate.close();
    }
  });
});
