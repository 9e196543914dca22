import { newId } from '@switchyard/db';
import { openAsker, type Reply } from './ask';
import { everything } from './everything';
import { useHarness } from './harness';

describe('clients of local mode', () => {
  const harness = useHarness();
  let asker: ReturnType<typeof openAsker>;
  beforeAll(() => {
    asker = openAsker(harness.url);
  });
  afterAll(() => asker.close());

  const write = (headers: Record<string, string>) =>
    asker.ask({ method: 'POST', path: '/api/companies', headers, body: { name: 'Acme' } });
  const expectRefused = ({ status, body }: Reply) =>
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 'forbidden' } });

  it.each([
    'example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    'localhost@example.com',
    'example.com:3100',
    '10.0.0.1',
    '[::2]',
  ])('get 403 with the Host %s', async (host) => {
    const before = await everything(harness);
    expectRefused(await write({ host }));
    expectRefused(await asker.ask({ method: 'GET', path: '/api/companies', headers: { host } }));
    expect(await everything(harness)).toEqual(before);
  });

  it.each([
    'https://example.com',
    'http://localhost.example.com',
    'http://127.0.0.1@example.com',
    'null',
    'file://',
    'chrome-extension://abcdef',
    'http://localhost:5173',
    'http://127.0.0.1:1',
    'http://[::1]:3100',
    '',
    'not an origin',
  ])('cannot write from the origin "%s"', async (origin) => {
    const before = await everything(harness);
    expectRefused(await write({ origin }));
    expectRefused(
      await asker.ask({ method: 'DELETE', path: `/api/companies/${newId()}`, headers: { origin } }),
    );
    expect(await everything(harness)).toEqual(before);
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'can write from the service’s own pages at the host %s',
    async (name) => {
      const { port } = new URL(harness.url);
      const page = { origin: `http://${name}:${port}`, 'sec-fetch-site': 'same-origin' };
      expect((await write({ ...page, host: `${name}:${port}` })).status).toBe(201);
      expect((await write({ origin: page.origin })).status).toBe(201);
    },
  );

  it('cannot write, even without a body, from a page that an agent serves on this machine', async () => {
    const { build } = harness;
    const agent = await build.agent();
    const hired = await harness.api
      .post(`/api/companies/${agent.companyId}/agent-hires`)
      .send({ name: 'Grace', role: 'engineer' })
      .expect(201);
    const before = await everything(harness);
    for (const path of [
      `/api/approvals/${hired.body.approval.id}/approve`,
      `/api/agents/${agent.id}/pause`,
      `/api/agents/${agent.id}/terminate`,
      `/api/companies/${agent.companyId}/archive`,
    ]) {
      for (const headers of [
        { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-site' },
        { origin: 'http://127.0.0.1:8000', 'sec-fetch-site': 'cross-site' },
        { origin: 'http://127.0.0.1:8000' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        expectRefused(await asker.ask({ method: 'POST', path, headers }));
      }
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('can read from another origin, but receive no CORS headers', async () => {
    const reply = await asker.ask({
      method: 'GET',
      path: '/api/companies',
      headers: { origin: 'https://example.com' },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('clients of local mode with TRUST_LOCAL_NETWORK', () => {
  const harness = useHarness({ config: { agentApiUrl: 'http://api:3100' } });
  let asker: ReturnType<typeof openAsker>;
  beforeAll(() => {
    asker = openAsker(harness.url);
  });
  afterAll(() => asker.close());

  const write = async (headers: Record<string, string>) =>
    (await asker.ask({ method: 'POST', path: '/api/companies', headers, body: { name: 'Acme' } }))
      .status;

  it('can name the agents’ API address as Host, but not as the origin of a write', async () => {
    expect(await write({ host: 'api:3100' })).toBe(201);
    expect(await write({ host: 'api.example.com:3100' })).toBe(403);
    expect(await write({ host: 'api:3100', origin: 'http://api:3100' })).toBe(403);
  });
});

describe('X-Service-Run-Id', () => {
  const harness = useHarness();

  it('must name the run of the run token, a live run of the API key’s agent, or else a live run of the company', async () => {
    const { api, build } = harness;
    const run = await build.liveRun();
    const key = await build.apiKey(run.agent.id);
    const issue = await build.issue({ companyId: run.agent.companyId });
    const ended = await build.liveRun(run.agent);
    await build.endLiveRun(ended.id);
    const colleague = await build.liveRun({ companyId: run.agent.companyId });
    const stranger = await build.liveRun();
    const comment = (authorization: string | null, runId: string) => {
      const asked = api
        .post(`/api/issues/${issue.id}/comments`)
        .set('X-Service-Run-Id', runId)
        .send({ body: 'x' });
      return authorization ? asked.set('Authorization', authorization) : asked;
    };
    for (const by of [run.authorization, key, null]) {
      const made = await comment(by, run.id.toUpperCase()).expect(201);
      expect(made.body.createdByRunId).toBe(run.id);
    }
    const before = await everything(harness);
    for (const by of [run.authorization, key, null]) {
      expect((await comment(by, 'x').expect(400)).body.details[0].path).toEqual([
        'X-Service-Run-Id',
      ]);
      await comment(by, ended.id).expect(403);
      await comment(by, stranger.id).expect(403);
      await comment(by, newId()).expect(403);
    }
    await comment(run.authorization, colleague.id).expect(403);
    await comment(key, colleague.id).expect(403);
    expect(await everything(harness)).toEqual(before);
  });
});
