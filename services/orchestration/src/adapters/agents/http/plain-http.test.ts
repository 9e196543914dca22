import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@switchyard/db';
import { recordRun } from '@switchyard/runner/test/recorded-run';
import { createHttpAdapter } from './http-adapter';
import { type HttpConfig, httpConfig } from './http-config';

describe('http adapter in authenticated mode', () => {
  const [acme, other] = [newId(), newId()];
  const seen: string[] = [];
  let server: Server;
  let port: number;
  let connections = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(String(request.headers['x-of']));
      response.end('done');
    });
    server.on('connection', () => {
      connections++;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    connections = 0;
    seen.length = 0;
  });

  const open = (allowedHosts: string[], httpsOnly = true) =>
    createHttpAdapter({ allowLoopback: false, httpsOnly, allowedHosts });
  const run = (adapter: ReturnType<typeof open>, url: string, companyId: string) =>
    adapter.run(recordRun<HttpConfig>(httpConfig.parse({ url }), { companyId }));
  const refused = { status: 'failed', errorCode: 'address_refused', transient: false };

  it('rejects http addresses, because requests contain secrets', async () => {
    const adapter = open([]);
    const url = 'http://agents.example.com/run';
    expect(await run(adapter, url, acme)).toMatchObject({
      ...refused,
      error: expect.stringContaining('HTTP_ADAPTER_ALLOWED_HOSTS'),
    });
    expect(adapter.forbids?.(httpConfig.parse({ url }), acme)).toEqual({
      field: 'url',
      text: expect.stringContaining('agents.example.com must be called over https'),
    });
    const secure = httpConfig.parse({ url: 'https://agents.example.com/run' });
    expect(adapter.forbids?.(secure, acme)).toBeNull();
    expect(open([], false).forbids?.(httpConfig.parse({ url }), acme)).toBeNull();
  });

  it('allows http to hosts that the operator opened for the company', async () => {
    const url = `http://127.0.0.1:${port}/run`;
    const one = open([`127.0.0.1:${port}@${acme}`]);
    expect(await run(one, url, other)).toMatchObject(refused);
    expect(one.forbids?.(httpConfig.parse({ url }), other)).toMatchObject({ field: 'url' });
    expect(connections).toBe(0);
    expect(await run(one, url, acme)).toMatchObject({ status: 'succeeded' });
    expect(one.forbids?.(httpConfig.parse({ url }), acme)).toBeNull();
    expect(await run(one, `http://127.0.0.1:${port - 1}/run`, acme)).toMatchObject(refused);
    const all = open([`127.0.0.1:${port}`]);
    for (const companyId of [acme, other]) {
      expect(await run(all, url, companyId)).toMatchObject({ status: 'succeeded' });
    }
    expect(seen).toHaveLength(3);
  });

  it('connects to a private host over https only if the host is opened for the company', async () => {
    const url = `https://127.0.0.1:${port}/run`;
    const adapter = open([`127.0.0.1@${acme}`]);
    expect(await run(adapter, url, other)).toMatchObject(refused);
    expect(connections).toBe(0);
    expect(await run(adapter, url, acme)).toMatchObject({ errorCode: 'http_unreachable' });
    expect(connections).toBe(1);
  });

  it('applies the same rules when it checks an agent', async () => {
    const adapter = open([`127.0.0.1@${acme}`]);
    const check = async (url: string, companyId: string) => {
      const config = httpConfig.parse({ url });
      const { signal } = new AbortController();
      const rest = { environment: {}, signingSecret: null, workingDirectory: '/', signal };
      const findings = await adapter.check?.({ config, companyId, agentId: other, ...rest });
      return findings?.map(({ code }) => code);
    };
    const url = `http://127.0.0.1:${port}/run`;
    expect(await check(url, acme)).toEqual(['address_reachable']);
    expect(await check(url, other)).toEqual(['address_refused']);
    expect(await check('http://agents.example.com/run', acme)).toEqual(['address_refused']);
    expect(connections).toBe(1);
  });
});
