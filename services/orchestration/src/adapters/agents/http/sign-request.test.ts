import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordRun } from '@switchyard/runner/test/recorded-run';
import { SIGNING_KEY_RULE } from '@switchyard/server';
import { Webhook } from 'standardwebhooks';
import { createHttpAdapter } from './http-adapter';
import { type HttpConfig, httpConfig } from './http-config';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const adapter = createHttpAdapter({ allowLoopback: true, httpsOnly: false, allowedHosts: [] });

describe('http adapter with a signing secret', () => {
  const received: { body: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers });
    response.end('ok');
  });
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());
  afterEach(() => received.splice(0));

  const call = async (signingSecret: string | null, overrides = {}) => {
    const run = recordRun<HttpConfig>(
      { url, method: 'POST', headers: {}, timeoutSec: 10 },
      { signingSecret, ...overrides },
    );
    const outcome = await adapter.run(run);
    const { body = '', headers = {} } = received[0] ?? {};
    return { run, outcome, body, headers: headers as Record<string, string> };
  };

  it('sends a signature that a Standard Webhooks library accepts, for a secret with and without whsec_', async () => {
    for (const secret of [SECRET, SECRET.slice('whsec_'.length)]) {
      received.splice(0);
      const { run, outcome, body, headers } = await call(secret);
      expect(outcome).toMatchObject({ status: 'succeeded' });
      expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({ runId: run.runId });
      expect(headers['webhook-id']).toBe(`${run.runId}_1`);
    }
  });

  it('sends a signature that is invalid for another secret, body, id or time', async () => {
    const { body, headers } = await call(SECRET);
    const verify =
      (secret: string, text: string, changed = {}) =>
      () =>
        new Webhook(secret).verify(text, { ...headers, ...changed });
    expect(verify(`whsec_${Buffer.alloc(32, 8).toString('base64')}`, body)).toThrow('signature');
    expect(verify(SECRET, `${body} `)).toThrow('signature');
    expect(verify(SECRET, body, { 'webhook-id': 'another' })).toThrow('signature');
    expect(verify(SECRET, body, { 'webhook-timestamp': '1600000000' })).toThrow('too old');
  });

  it('sends another id when the run is claimed again', async () => {
    const { headers } = await call(SECRET, { epoch: 2 });
    expect(headers['webhook-id']).toMatch(/_2$/);
  });

  it('sends no signature without a secret', async () => {
    const { headers } = await call(null);
    expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  });

  it.each(['short', 'whsec_', 'not base64 at all, but long enough for it', 'A'.repeat(120)])(
    'fails both the run and the check if the secret is %p',
    async (secret) => {
      const { outcome } = await call(secret);
      expect(outcome).toMatchObject({
        status: 'failed',
        errorCode: 'signing_secret_invalid',
        error: `signingSecret ${SIGNING_KEY_RULE}`,
        transient: false,
      });
      expect(received).toEqual([]);
      const { config, companyId, agentId, environment, workingDirectory, signal } = recordRun({
        url,
      });
      const input = { companyId, agentId, environment, workingDirectory, signal };
      const parsed = httpConfig.parse(config);
      expect(
        await adapter.check?.({ ...input, config: parsed, signingSecret: secret }),
      ).toContainEqual(expect.objectContaining({ code: 'signing_secret_invalid' }));
    },
  );

  it('accepts the secret only as a reference, and rejects signature headers', () => {
    const of = (config: object) => httpConfig.safeParse({ url, ...config });
    const signingSecret = { type: 'secret_ref', secretId: crypto.randomUUID() };
    expect(of({ signingSecret })).toMatchObject({ success: true });
    expect(of({ signingSecret: SECRET })).toMatchObject({
      error: {
        issues: [{ path: ['signingSecret'], message: expect.stringContaining('"secret_ref"') }],
      },
    });
    expect(of({ headers: { 'Webhook-Signature': 'v1,forged' } })).toMatchObject({
      error: { issues: [{ path: ['headers'] }] },
    });
  });
});
