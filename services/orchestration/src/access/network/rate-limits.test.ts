import { newId } from '@switchyard/db';
import { type Gate, openGate, redisUrl, until } from '@switchyard/testing';
import { Redis } from 'ioredis';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { useHarness } from '../../../test/harness';
import { openLimiter } from './limiter';

describe('rate limits', () => {
  const rateLimits = { perCredential: 10, perAddress: 5, perTrigger: null };
  const harness = useAuthenticatedHarness({ config: { rateLimits } });
  const statuses = async (count: number, ask: () => PromiseLike<{ status: number }>) => {
    const answers = await Promise.all(Array.from({ length: count }, ask));
    return answers.map((answer) => answer.status).sort();
  };
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  it('apply to each person, key and run separately', async () => {
    const [one, other] = [await harness.operator(), await harness.operator()];
    const board = harness.as(one);
    const session = () => board.get('/api/auth/session');
    expect(await statuses(13, session)).toEqual([...times(10, 200), ...times(3, 429)]);
    const refused = await session().expect(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBe(String(refused.body.details.retryAfterSec));
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    await harness.as(other).get('/api/auth/session').expect(200);

    const agent = await harness.build.agent();
    const key = await harness.build.apiKey(agent.id);
    const run = await harness.build.liveRun(agent);
    const me = (credential: string) => () =>
      harness.api.get('/api/agents/me').set('Authorization', credential);
    expect(await statuses(11, me(key))).toEqual([...times(10, 200), 429]);
    await me(run.authorization)().expect(200);
  });

  it('apply to unauthenticated requests per address', async () => {
    const from = (address: string) => ({
      get: (authorization?: string) => {
        const asked = harness.api.get('/api/companies').set('X-Forwarded-For', address);
        return authorization ? asked.set('Authorization', authorization) : asked;
      },
    });
    const one = from('198.51.100.20');
    let at = 0;
    const tries = [
      () => one.get(),
      () => one.get('Bearer garbage'),
      () => one.get(`Bearer swy_${at}`),
    ];
    const answers = await statuses(8, () =>
      (tries[at++ % 3] as () => PromiseLike<{ status: number }>)(),
    );
    expect(answers).toEqual([...times(5, 401), ...times(3, 429)]);
    await from('198.51.100.21').get().expect(401);
    const login = () =>
      harness.api.post('/api/auth/login').set('X-Forwarded-For', '198.51.100.22').send({});
    expect(await statuses(7, login)).toEqual([...times(5, 400), 429, 429]);
  });

  it('do not apply to probes', async () => {
    for (const path of ['/livez', '/readyz', '/api/health']) {
      expect(await statuses(20, () => harness.api.get(path))).toEqual(times(20, 200));
    }
  });
});

describe('rate limits counted in Redis', () => {
  let gate: Gate;
  const config = {
    rateLimits: { perCredential: 10, perAddress: 5, perTrigger: null },
    redisUrl: '',
  };
  beforeAll(async () => {
    gate = await openGate(redisUrl());
    config.redisUrl = gate.url;
  });
  const harness = useHarness({ config });
  afterAll(() => gate.close());

  it('apply during an outage of Redis, and afterwards include the requests made during the outage', async () => {
    const agent = await harness.build.agent();
    const key = await harness.build.apiKey(agent.id);
    const me = () => harness.api.get('/api/agents/me').set('Authorization', key);
    await me().expect(200);
    await gate.shut();
    for (let at = 0; at < 5; at++) await me().expect(200);
    await gate.open();
    for (let at = 0; at < 4; at++) await me().expect(200);
    expect((await me().expect(429)).body.code).toBe('rate_limited');
  });

  it('count at most `maxKeys` keys while Redis is unavailable, and drop the least recently used key', async () => {
    const redis = new Redis(gate.url, { lazyConnect: true });
    redis.disconnect();
    const limiter = openLimiter({
      redis,
      name: 'bounded',
      points: 2,
      windowSec: 60,
      deadlineMs: 50,
      maxKeys: 3,
    });
    const refused = expect.objectContaining({ code: 'rate_limited' });
    for (const key of ['a', 'a', 'b', 'b', 'c', 'c']) await limiter.take(key);
    await expect(limiter.take('a')).rejects.toEqual(refused);
    await limiter.take('d');
    await expect(limiter.take('a')).rejects.toEqual(refused);
    await limiter.take('b');
  });

  it('apply to the sum of the requests to all processes', async () => {
    const redis = new Redis(redisUrl());
    const options = {
      redis,
      name: `shared-${newId()}`,
      points: 3,
      windowSec: 60,
      deadlineMs: 5_000,
    };
    const [one, other] = [openLimiter(options), openLimiter(options)];
    try {
      await until('Redis', async () => (await redis.ping()) === 'PONG');
      for (const limiter of [one, other, one]) await limiter.take('x');
      await expect(other.take('x')).rejects.toMatchObject({ code: 'rate_limited' });
      await expect(one.take('x')).rejects.toMatchObject({ code: 'rate_limited' });
      await other.take('y');
      await one.forget('x');
      await one.take('x');
    } finally {
      redis.disconnect();
    }
  });
});

describe('rate limits in local trusted mode', () => {
  const harness = useHarness();

  it('do not apply by default', async () => {
    const asked = Array.from({ length: 400 }, () => harness.api.get('/api/agents/x'));
    expect(new Set((await Promise.all(asked)).map((answer) => answer.status))).toEqual(
      new Set([404]),
    );
  });
});
