import { openAsker } from './ask';
import {
  type Operator,
  PASSWORD,
  PUBLIC_URL,
  useAuthenticatedHarness,
} from './authenticated-harness';
import { everything } from './everything';

describe('clients in authenticated mode', () => {
  const harness = useAuthenticatedHarness();
  let asker: ReturnType<typeof openAsker>;
  let victim: Operator;
  beforeAll(async () => {
    asker = openAsker(harness.url);
    victim = await harness.administrator();
  });
  afterAll(() => asker.close());

  const write = (
    headers: Record<string, string>,
    path = '/api/companies',
    body: unknown = { name: 'Acme' },
  ) => asker.ask({ method: 'POST', path, headers: { cookie: victim.cookie, ...headers }, body });

  it.each([
    'https://evil.example.com',
    'https://board.example.com.evil.com',
    'https://sub.board.example.com',
    'https://example.com',
    'http://board.example.com',
    'https://board.example.com:8443',
    'https://BOARD.example.com',
    'http://127.0.0.1:3100',
    'http://localhost',
    'null',
    'file://',
    '',
  ])('cannot write, log in or log out from the origin "%s"', async (origin) => {
    const before = await everything(harness);
    const login = { email: victim.email, password: PASSWORD };
    for (const reply of [
      await write({ origin }),
      await write({ origin }, '/api/auth/login', login),
      await write({ origin }, '/api/auth/logout', {}),
      await write({ origin, authorization: 'Bearer x' }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect(await everything(harness)).toEqual(before);
  });

  it.each(['cross-site', 'same-site', 'something'])(
    'cannot write with Sec-Fetch-Site: %s and a cookie',
    async (site) => {
      const before = await everything(harness);
      expect((await write({ 'sec-fetch-site': site })).status).toBe(403);
      expect((await write({ 'sec-fetch-site': site, origin: PUBLIC_URL })).status).toBe(403);
      expect(await everything(harness)).toEqual(before);
    },
  );

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'cannot write with a form body of type %s, even without an Origin',
    async (type) => {
      const before = await everything(harness);
      const sent = { 'content-type': type };
      expect((await write(sent, '/api/companies', 'name=Acme')).status).toBe(415);
      expect((await write({ ...sent, origin: 'null' }, '/api/companies', 'name=Acme')).status).toBe(
        403,
      );
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('can write from a page of PUBLIC_URL or without an Origin, regardless of the Host', async () => {
    expect((await write({ origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    expect((await write({ 'sec-fetch-site': 'none' })).status).toBe(201);
    expect((await write({})).status).toBe(201);
    expect((await write({ host: 'orchestration.internal' })).status).toBe(201);
  });

  it('can read from another origin, but receive an HSTS header and no CORS headers', async () => {
    const reply = await asker.ask({
      method: 'GET',
      path: '/api/companies',
      headers: { cookie: victim.cookie, origin: 'https://evil.example.com' },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });
});

describe('responses in authenticated mode', () => {
  const harness = useAuthenticatedHarness();
  let asker: ReturnType<typeof openAsker>;
  beforeAll(() => {
    asker = openAsker(harness.url);
  });
  afterAll(() => asker.close());

  it('have Cache-Control: no-store, whether the request succeeds or not', async () => {
    const company = await harness.build.company();
    const member = await harness.operator(company.id);
    const path = `/api/companies/${company.id}`;
    for (const [headers, status] of [
      [{ cookie: member.cookie }, 200],
      [{}, 401],
    ] as const) {
      for (const asked of [path, `${path}/issues`, path.replace('api', 'API')]) {
        const reply = await asker.ask({ method: 'GET', path: asked, headers });
        expect([asked, reply.status, reply.headers['cache-control']]).toEqual([
          asked,
          status,
          'no-store',
        ]);
      }
    }
  });
});
