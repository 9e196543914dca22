import { connect } from 'node:net';
import { createRegistry, listen } from '@switchyard/server';
import { type Harness, startHarness, startService } from '../../test/harness';
import { createApplication } from '../app';

const TOKEN = 'a-token-of-some-length-that-is-enough';

describe('access control', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());
  const collections = () => service.rows('SELECT 1 FROM collection');

  it.each(['evil.example', 'evil.example:3200', '127.0.0.1.evil.example', 'metrics.evil.example'])(
    'returns 403 for the host name %s, so that DNS rebinding cannot read balances',
    async (host) => {
      const asks = [
        '/dashboard/state',
        '/dashboard',
        '/metrics',
        '/health',
        '/livez',
        '/docs',
        '/x',
      ];
      for (const path of asks) {
        const { status, body } = await service.http.get(path).set('Host', host);
        expect({ path, status, body }).toEqual({
          path,
          status: 403,
          body: { detail: 'the Host header must name this server' },
        });
      }
      await service.http.post('/metrics/collect').set('Host', host).expect(403);
      expect(await collections()).toEqual([]);
    },
  );

  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://localhost:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('returns 403 for writes from another origin: %o', async (headers) => {
    const paths = ['/metrics/collect', '/grids/create', '/grids/x/stop', '/regime/analyze'];
    for (const path of paths) {
      const { status, body } = await service.http.post(path).set(headers);
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(body).toEqual({ detail: expect.stringContaining('another origin') });
    }
    expect(await collections()).toEqual([]);
    await service.http.get('/health').set(headers).expect(200);
  });

  it('allows localhost, IP addresses, configured host names, and writes from the service’s own pages', async () => {
    const names = ['localhost', '127.0.0.1:3200', '10.0.0.7:3200', '[fd00::7]', 'metrics:3200'];
    for (const host of [...names, 'switchyard-metrics']) {
      await service.http.get('/dashboard/state').set('Host', host).expect(200);
    }
    await service.http.post('/metrics/collect').set('Host', 'metrics:3200').expect(200);
    const own = `http://127.0.0.1:${service.port}`;
    await service.http
      .post('/metrics/collect')
      .set({ Origin: own, 'Sec-Fetch-Site': 'same-origin' })
      .expect(200);
    const other = await startService({
      url: service.database.url,
      env: { METRICS_ALLOWED_HOSTS: 'collector.internal' },
    });
    await other.http.get('/health').set('Host', 'collector.internal:80').expect(200);
    await other.http.get('/health').set('Host', 'metrics').expect(403);
    await other.close();
  });

  it('sends nosniff and DENY headers with every response, including parser errors', async () => {
    const answers = [
      service.http.get('/health'),
      service.http.head('/health'),
      service.http.get('/livez'),
      service.http.get('/metrics'),
      service.http.get('/dashboard'),
      service.http.get('/docs'),
      service.http.get('/docs/swagger-ui.css'),
      service.http.get('/openapi.json'),
      service.http.get('/metrics/history').set('Accept', 'text/csv'),
      service.http.get('/nothing'),
      service.http.delete('/metrics/collect'),
      service.http.post('/metrics/collect').send({ source: 5 }),
      service.http.post('/metrics/collect').set('Content-Type', 'application/json').send('{bad'),
      service.http.get('/').set('Host', 'evil.example'),
    ];
    for (const answer of await Promise.all(answers)) {
      const { path } = answer.request as unknown as { path: string };
      expect([path, answer.headers['x-content-type-options']]).toEqual([path, 'nosniff']);
      expect([path, answer.headers['x-frame-options']]).toEqual([path, 'DENY']);
    }
    const http = await listen(
      createApplication({ ...service.context, registry: createRegistry() }),
      '127.0.0.1',
      0,
    );
    const say = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let all = '';
        const socket = connect(http.port, '127.0.0.1', () => socket.write(text));
        socket.on('data', (part) => {
          all += part;
        });
        socket.on('close', () => resolve(all)).on('error', reject);
      });
    for (const text of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n']) {
      expect(await say(text)).toMatch(
        /^HTTP\/1\.1 400 [\s\S]*\r\nX-Content-Type-Options: nosniff\r\n/i,
      );
    }
    await http.close(0);
  });
});

describe('METRICS_TOKEN', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ env: { METRICS_TOKEN: TOKEN } });
  });
  afterAll(() => service.close());
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it('protects every path except health and the probes', async () => {
    for (const path of ['/health', '/livez', '/readyz']) await service.http.get(path).expect(200);
    const closed = ['/dashboard', '/dashboard/state', '/metrics', '/docs', '/openapi.json', '/x'];
    for (const path of closed) {
      const { status, body, headers } = await service.http.get(path);
      expect({ path, status, body }).toEqual({
        path,
        status: 401,
        body: { detail: 'METRICS_TOKEN is required as bearer token or password' },
      });
      expect(headers['www-authenticate']).toMatch(/^Basic realm=/);
    }
    await service.http.post('/metrics/collect').send({}).expect(401);
    expect(await service.rows('SELECT 1 FROM collection')).toEqual([]);
  });

  it.each([
    ['bearer', `Bearer ${TOKEN}`],
    ['the password of any user', basic(`me:${TOKEN}`)],
    ['the password without a user', basic(`:${TOKEN}`)],
  ])('grants access if the token is sent as %s', async (_, authorization) => {
    await service.http.get('/dashboard').set('Authorization', authorization).expect(200);
    await service.http.post('/metrics/collect').set('Authorization', authorization).expect(200);
  });

  it.each([
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    TOKEN,
    `Token ${TOKEN}`,
    basic(TOKEN),
    basic(`${TOKEN}:`),
    'Basic ====',
    `Bearer ${'x'.repeat(5_000)}`,
  ])('makes the Authorization header "%s" fail with 401', async (authorization) => {
    await service.http.get('/dashboard/state').set('Authorization', authorization).expect(401);
  });

  it('causes 429 for the 31st wrong token from an address, but not for the right token', async () => {
    const env = { METRICS_TOKEN: TOKEN };
    const other = await startService({ url: service.database.url, env });
    const read = (token: string) =>
      other.http.get('/dashboard/state').set('Authorization', `Bearer ${token}`);
    for (let at = 0; at < 30; at++) await read(`a guess ${at}`.replaceAll(' ', '-')).expect(401);
    const { headers } = await read('one-more').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await read(TOKEN).expect(200);
    await other.http.get('/dashboard/state').expect(401);
    await other.http.get('/health').expect(200);
    await other.close();
  });

  it.each(['short', 'x'.repeat(31), 'with a space in the middle of it all', 'x'.repeat(257)])(
    'prevents the start if the token is invalid: "%s"',
    (token) => {
      const env = { METRICS_TOKEN: token };
      return expect(startService({ url: service.database.url, env })).rejects.toThrow(
        /METRICS_TOKEN/,
      );
    },
  );
});
