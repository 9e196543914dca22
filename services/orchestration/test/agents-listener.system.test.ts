import { newId } from '@switchyard/db';
import { freePort } from '@switchyard/testing';
import supertest from 'supertest';
import { isOpen } from '../src/access/rules';
import { createApplication } from '../src/http/app';
import { allRoutes } from '../src/http/routes';
import { type ApiProcess, startApiProcess } from './api-process';
import { useAuthenticatedHarness } from './authenticated-harness';
import { everything } from './everything';
import { useHarness } from './harness';

const PATH_OF_A_PARAMETER = /:\w+/g;

const OPEN = ['/api/agent-guide', '/api/openapi.json', '/api/health', '/livez', '/readyz'];

describe('the agents’ listener in local mode', () => {
  const harness = useHarness();
  let door: ReturnType<typeof supertest>;
  beforeAll(() => {
    const config = { ...harness.config, agentApiUrl: 'http://api:3102' };
    door = supertest(createApplication({ ...harness.context, config }, () => false, 'agents'));
  });

  it('requires a credential on every protected route', async () => {
    const run = await harness.build.liveRun();
    const before = await everything(harness);
    const closed = allRoutes.filter(({ access }) => !isOpen(access));
    expect(closed.length).toBeGreaterThan(80);
    for (const { method, path } of closed) {
      const at = path.replace(PATH_OF_A_PARAMETER, run.agent.companyId);
      const verb = method.toLowerCase() as 'get' | 'post';
      const { status } = await door[verb](at).set('Cookie', '__Host-service.sid=s%3Ax.y').send();
      const expected = path.startsWith('/api/auth/') ? 404 : 401;
      expect({ method, path, status }).toEqual({ method, path, status: expected });
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('accepts run tokens and API keys, but never grants board rights', async () => {
    const run = await harness.build.liveRun();
    const { id, companyId } = run.agent;
    const budget = `/api/agents/${id}`;
    const secrets = `/api/companies/${companyId}/secrets`;
    const bare = await door.get(secrets).expect(401);
    expect(bare.body.code).toBe('unauthenticated');
    await door.patch(budget).send({ budgetMonthlyCents: 1 }).expect(401);
    const asAgent = { Authorization: run.authorization };
    expect((await door.get(secrets).set(asAgent).expect(403)).body.code).toBe('board_only');
    expect((await door.get('/api/agents/me').set(asAgent).expect(200)).body.id).toBe(id);
    const made = await door
      .post(`/api/companies/${companyId}/issues`)
      .set(asAgent)
      .send({ title: 'Mine' })
      .expect(201);
    expect(made.body.createdByAgentId).toBe(id);
    const key = await harness.build.apiKey(id);
    await door.get('/api/agents/me').set('Authorization', key).expect(200);
    await door.get('/api/agents/me').set('Authorization', 'Bearer x').expect(401);
  });

  it('serves public paths without a credential', async () => {
    for (const path of OPEN) await door.get(path).expect(200);
  });

  it('returns 403 for other host names and for writes from web pages', async () => {
    const run = await harness.build.liveRun();
    const asAgent = { Authorization: run.authorization };
    await door.get('/api/agents/me').set(asAgent).set('Host', 'api:3102').expect(200);
    await door.get('/api/agents/me').set(asAgent).set('Host', 'localhost:3102').expect(200);
    await door.get('/api/agents/me').set(asAgent).set('Host', 'api.example.com').expect(403);
    await door.get('/api/openapi.json').set('Host', 'evil.example.com').expect(403);
    await door
      .post(`/api/companies/${run.agent.companyId}/issues`)
      .set({ ...asAgent, Origin: 'http://localhost:8000' })
      .send({ title: 'x' })
      .expect(403);
  });
});

describe('the agents’ listener in authenticated mode', () => {
  const rateLimits = { perCredential: null, perAddress: 5, perTrigger: null };
  const harness = useAuthenticatedHarness({ config: { rateLimits } });
  let door: ReturnType<typeof supertest>;
  beforeAll(() => {
    door = supertest(createApplication(harness.context, () => false, 'agents'));
  });

  it('ignores cookies, and has no sign-in routes', async () => {
    const { founder, build, api } = harness;
    const company = await build.company();
    const issues = `/api/companies/${company.id}/issues`;
    await api.get(issues).set('Cookie', founder.cookie).expect(200);
    await door.get(issues).set('Cookie', founder.cookie).expect(401);
    const login = { email: founder.email, password: 'x' };
    const refused = await door.post('/api/auth/login').send(login).expect(404);
    expect(refused.headers['set-cookie']).toBeUndefined();
    await door.get('/login').expect(404);
  });

  it('ignores forwarded addresses, even with trusted proxies', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 8; at++) {
      const { status } = await door
        .get(`/api/issues/${newId()}`)
        .set('X-Forwarded-For', `198.51.100.${at}`);
      statuses.push(status);
    }
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
    await harness.api
      .get(`/api/issues/${newId()}`)
      .set('X-Forwarded-For', '198.51.100.99')
      .expect(401);
  });
});

describe('an API process with both listeners', () => {
  const harness = useHarness();
  let api: ApiProcess;
  let agents: string;
  beforeAll(async () => {
    const port = await freePort();
    agents = `http://127.0.0.1:${port}`;
    api = await startApiProcess(harness.config, { AGENT_PORT: String(port) });
  });

  it('opens both listeners, and treats anonymous callers as the board only on the main listener', async () => {
    for (const url of [api.url, agents]) {
      const ready = await supertest(url).get('/readyz').expect(200);
      expect(ready.body).toMatchObject({ status: 'ok', components: { database: 'ok' } });
    }
    await supertest(api.url).get('/api/companies').expect(200);
    await supertest(agents).get('/api/companies').expect(401);
  });

  it('ends agents’ event streams and closes both listeners when it stops', async () => {
    const run = await harness.build.liveRun();
    const headers = { authorization: run.authorization };
    const stream = await fetch(`${agents}/api/companies/${run.agent.companyId}/events`, {
      headers,
    });
    expect(stream.status).toBe(200);
    const read = stream.text();
    api.signal('SIGTERM');
    expect(await api.ended).toBe(0);
    await read;
    for (const url of [api.url, agents]) await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });
});
