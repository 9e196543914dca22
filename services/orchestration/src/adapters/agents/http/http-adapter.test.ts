import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { recordRun } from '@switchyard/runner/test/recorded-run';
import { createHttpAdapter, type HttpAdapterOptions, MAX_BODY_BYTES } from './http-adapter';
import type { HttpConfig } from './http-config';

const servers: Server[] = [];

async function serve(
  listener: RequestListener,
): Promise<{ url: string; port: number; server: Server }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, server };
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const prepare = (config: Partial<HttpConfig> & { url: string }) =>
  recordRun<HttpConfig>({ method: 'POST', headers: {}, timeoutSec: 10, ...config });

const local = createHttpAdapter({ allowLoopback: true, httpsOnly: false, allowedHosts: [] });

const strict = (options: Partial<HttpAdapterOptions> = {}) =>
  createHttpAdapter({ allowLoopback: false, httpsOnly: false, allowedHosts: [], ...options });

function answerWith(...answers: string[][]): { lookup: LookupFunction; calls: number } {
  const state = {
    calls: 0,
    lookup: ((_host, _options, callback) => {
      const list = answers[Math.min(state.calls++, answers.length - 1)]!;
      const all = list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      setImmediate(() => callback(null, all));
    }) as LookupFunction,
  };
  return state;
}

const connections = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

async function untilNoConnection(server: Server): Promise<void> {
  while ((await connections(server)) > 0) await new Promise(setImmediate);
}

const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 2, costCents: 3 };

test('http adapter sends the run’s details, and reads output and usage from the response', async () => {
  let received: unknown;
  const { url, server } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    received = { method: request.method, headers: request.headers, body };
    const line = `${JSON.stringify({ type: 'usage', ...usage })}\n`;
    response.write(`hello\n${line.slice(0, 20)}`);
    setImmediate(() => response.end(`${line.slice(20)}${JSON.stringify({ type: 'usage', x: 1 })}`));
  });
  const run = prepare({ url, method: 'PUT', headers: { 'X-Key': 'v' } });
  run.environment = { SERVICE_WAKE_REASON: 'mention', SERVICE_ISSUE_ID: 'i', OTHER: 'o' };
  expect(await local.run(run)).toEqual({ status: 'succeeded', exitCode: null });
  const { runId, companyId, agentId, environment } = run;
  expect(received).toMatchObject({
    method: 'PUT',
    headers: { 'x-key': 'v', 'content-type': 'application/json' },
    body: { runId, companyId, agentId, wakeReason: 'mention', issueId: 'i', environment },
  });
  const unread = { provider: 'unknown', inputTokens: 0, costCents: null };
  expect(run.usage).toMatchObject([usage, unread]);
  expect(run.output()).toMatch(/^hello\n\{"type":"usage"/);
  expect(run.output()).toMatch(/\n\[usage\] counted without a price: provider must be/);
  await untilNoConnection(server);
});

test('http adapter sends null for the wake reason and the issue if the run has neither', async () => {
  const run = prepare({ url: '' });
  const { url } = await serve((request, response) => request.pipe(response));
  run.config.url = url;
  await local.run(run);
  expect(JSON.parse(run.output())).toMatchObject({ wakeReason: null, issueId: null });
});

describe('http adapter: addresses', () => {
  const literals = [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://0/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://192.0.2.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::7f00:1]/',
  ];

  test.each(literals)('rejects %s without a retry', async (url) => {
    expect(strict().configSchema.safeParse({ url })).toMatchObject({ success: true });
    const outcome = await strict().run(prepare({ url }));
    expect(outcome).toMatchObject({
      status: 'failed',
      errorCode: 'address_refused',
      error: expect.stringContaining('HTTP_ADAPTER_ALLOWED_HOSTS'),
      transient: false,
    });
  });

  test('allows loopback only in local mode, and never allows other private addresses', async () => {
    const { url, port } = await serve((_request, response) => response.end('x'));
    expect(await strict().run(prepare({ url }))).toMatchObject({ errorCode: 'address_refused' });
    expect(await local.run(prepare({ url: `http://localhost:${port}/` }))).toMatchObject({
      status: 'succeeded',
    });
    for (const refused of ['http://10.0.0.1/', 'http://[::ffff:127.0.0.1]/']) {
      const outcome = await local.run(prepare({ url: refused }));
      expect(outcome).toMatchObject({ errorCode: 'address_refused' });
    }
  });

  test('checks the resolved addresses of a name when it connects', async () => {
    const hits: string[] = [];
    const { port } = await serve((request, response) => {
      hits.push(request.url!);
      response.end();
    });
    const rebinding = answerWith(['8.8.8.8'], ['127.0.0.1']);
    rebinding.lookup('checked.example', { all: true }, () => {});
    const outcome = await strict({ lookup: rebinding.lookup }).run(
      prepare({ url: `http://checked.example:${port}/` }),
    );
    expect(outcome).toMatchObject({ errorCode: 'address_refused', transient: false });
    expect(rebinding.calls).toBe(2);
    expect(hits).toEqual([]);
  });

  test('connects only to the allowed addresses of a name', async () => {
    const { port, server } = await serve((_request, response) => response.end());
    const mixed = answerWith(['10.0.0.1', '::ffff:127.0.0.1', 'fe80::1', '127.0.0.1']);
    const adapter = createHttpAdapter({
      allowLoopback: true,
      httpsOnly: false,
      allowedHosts: [],
      ...mixed,
    });
    const outcome = await adapter.run(prepare({ url: `http://mixed.example:${port}/` }));
    expect(outcome).toMatchObject({ status: 'succeeded' });
    await untilNoConnection(server);
  });

  test('allows hosts that the operator lists by name, with or without a port', async () => {
    const { url, port } = await serve((_request, response) => response.end());
    const { lookup } = answerWith(['127.0.0.1']);
    const named = `http://inner.example:${port}/`;
    for (const allowed of ['inner.example', `Inner.Example:${port}`]) {
      const outcome = await strict({ lookup, allowedHosts: [allowed] }).run(
        prepare({ url: named }),
      );
      expect(outcome).toMatchObject({ status: 'succeeded' });
    }
    const literal = strict({ allowedHosts: [`127.0.0.1:${port}`] });
    expect(await literal.run(prepare({ url }))).toMatchObject({ status: 'succeeded' });
    for (const other of ['inner.example:1', 'example', 'a.inner.example', '']) {
      const outcome = await strict({ lookup, allowedHosts: [other] }).run(prepare({ url: named }));
      expect(outcome).toMatchObject({ errorCode: 'address_refused' });
    }
  });
});

describe('http adapter: responses', () => {
  test.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
    const target = await serve(() => {
      throw new Error('was followed');
    });
    const { url } = await serve((_request, response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    expect(await local.run(prepare({ url }))).toMatchObject({
      status: 'failed',
      errorCode: 'http_redirect',
      transient: false,
      error: `answered ${status}: redirects are not followed; adapterConfig.url must be the redirect’s target`,
    });
  });

  test.each([
    [400, 'http_status', false],
    [404, 'http_status', false, ': check adapterConfig.url'],
    [405, 'http_status', false, ': check adapterConfig.method'],
    [408, 'http_408', true],
    [425, 'http_425', true],
    [429, 'http_429', true],
    [500, 'http_500', true],
    [503, 'http_503', true],
  ])('reports status %i as %s', async (status, errorCode, transient, hint = '') => {
    const { url } = await serve((_request, response) => response.writeHead(status).end('why'));
    const run = prepare({ url });
    const expected = { status: 'failed', exitCode: null, errorCode, transient };
    expect(await local.run(run)).toEqual({ ...expected, error: `answered ${status}${hint}` });
    expect(run.output()).toBe('why');
  });

  test.each([
    ['7', 7000],
    ['999999', 3_600_000],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
    ['Wed, 21 Oct 2020 07:28:30 GMT', 0],
    ['Wed, 21 Oct 2036 07:28:30 GMT', 3_600_000],
    ['soon', undefined],
    ['-5', undefined],
  ])('reads Retry-After %s as %p ms', async (value, retryAfterMs) => {
    const clock = { now: () => new Date('2026-10-21T07:28:00Z') };
    const adapter = createHttpAdapter({
      allowLoopback: true,
      httpsOnly: false,
      allowedHosts: [],
      clock,
    });
    const { url } = await serve((_request, response) =>
      response.writeHead(429, { 'retry-after': value }).end(),
    );
    const outcome = await adapter.run(prepare({ url }));
    expect(outcome).toMatchObject({ errorCode: 'http_429', transient: true });
    expect((outcome as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  });

  test('truncates a body above 4 MiB with a note, and succeeds', async () => {
    const { url, server } = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'x')));
      };
      response.on('drain', more);
      more();
    });
    const run = prepare({ url });
    expect(await local.run(run)).toEqual({ status: 'succeeded', exitCode: null });
    const output = run.output();
    expect(output.slice(MAX_BODY_BYTES)).toBe(`\n[answer cut after ${MAX_BODY_BYTES} bytes]\n`);
    await untilNoConnection(server);
  });
});

describe('http adapter: encodings and interim responses', () => {
  const line = `${JSON.stringify({ type: 'usage', ...usage })}\n`;
  const answers = async (coding: string, body: Buffer) => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(body),
    );
    const run = prepare({ url });
    return { run, outcome: await local.run(run) };
  };

  test('requests an unencoded response unless the configured headers set Accept-Encoding', async () => {
    const requests: unknown[] = [];
    const { url } = await serve((request, response) => {
      requests.push(request.headers['accept-encoding']);
      response.end();
    });
    await local.run(prepare({ url }));
    await local.run(prepare({ url, headers: { 'Accept-Encoding': 'gzip' } }));
    expect(requests).toEqual(['identity', 'gzip']);
  });

  test.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['BR', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from],
  ])('decodes %s and reads the usage in the response', async (coding, encode) => {
    const { run, outcome } = await answers(coding, encode(`done\n${line}`));
    expect(outcome).toEqual({ status: 'succeeded', exitCode: null });
    expect(run.output()).toBe(`done\n${line}`);
    expect(run.usage).toEqual([usage]);
  });

  test('accepts an empty body with a Content-Encoding', async () => {
    const { run, outcome } = await answers('gzip', Buffer.alloc(0));
    expect(outcome).toEqual({ status: 'succeeded', exitCode: null });
    expect(run.output()).toBe('');
  });

  const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  test.each<[string, (body: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['br', (body) => brotliCompressSync(body, quickly)],
  ])('truncates a decoded %s body at 4 MiB', async (coding, encode) => {
    const { run, outcome } = await answers(coding, encode(Buffer.alloc(64 << 20)));
    expect(outcome).toEqual({ status: 'succeeded', exitCode: null });
    expect(run.output().slice(MAX_BODY_BYTES)).toBe(
      `\n[answer cut after ${MAX_BODY_BYTES} bytes]\n`,
    );
  });

  test.each([
    ['zstd', Buffer.from('x'), /must be encoded as gzip/],
    ['gzip', Buffer.from('plain text'), /does not match its Content-Encoding/],
    ['br', Buffer.from('plain text'), /does not match its Content-Encoding/],
    ['gzip', gzipSync('x'.repeat(99)).subarray(0, 15), /does not match its Content-Encoding/],
  ])('fails if %s cannot be decoded: %p', async (coding, body, error) => {
    const { outcome } = await answers(coding, body);
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'http_encoding' });
    expect(outcome).toMatchObject({ error: expect.stringMatching(error), transient: false });
  });

  test.each(['100 Continue', '102 Processing', '103 Early Hints'])(
    'ignores an unsolicited %s',
    async (interim) => {
      const { url } = await serve((request, response) => {
        request.socket.write(`HTTP/1.1 ${interim}\r\n\r\n`.repeat(2));
        setImmediate(() => response.end('done'));
      });
      const run = prepare({ url });
      expect(await local.run(run)).toEqual({ status: 'succeeded', exitCode: null });
      expect(run.output()).toBe('done');
    },
  );
});

describe('http adapter: missing responses', () => {
  test('fails with a retry if the connection is refused, or breaks before or during the response', async () => {
    const { url, server } = await serve((request, response) => {
      if (request.method === 'PUT') return request.socket.destroy();
      response.writeHead(200, { 'content-length': '100' }).write('part');
      setImmediate(() => request.socket.destroy());
    });
    const expected = { status: 'failed', errorCode: 'http_unreachable', transient: true };
    expect(await local.run(prepare({ url }))).toMatchObject(expected);
    expect(await local.run(prepare({ url, method: 'PUT' }))).toMatchObject(expected);
    servers.splice(0);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const refused = await local.run(prepare({ url }));
    expect(refused).toMatchObject({ ...expected, error: 'no answer (ECONNREFUSED)' });
  });

  const never: LookupFunction = () => {};

  test.each(['lookup', 'handshake', 'headers', 'body'])(
    'times out if the response hangs in the %s',
    async (stage) => {
      const { url, port, server } = await serve((_request, response) => {
        if (stage === 'body') response.writeHead(200).write('part');
      });
      const silent = createTcpServer((socket) => socket.resume().on('error', () => {}));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port: silentPort } = silent.address() as AddressInfo;
      const target = {
        lookup: `http://never.example:${port}/`,
        handshake: `https://127.0.0.1:${silentPort}/`,
      }[stage];
      const lookup = stage === 'lookup' ? never : undefined;
      const adapter = createHttpAdapter({
        allowLoopback: true,
        httpsOnly: false,
        allowedHosts: [],
        lookup,
      });
      const outcome = await adapter.run(prepare({ url: target ?? url, timeoutSec: 0.2 }));
      expect(outcome).toMatchObject({ status: 'timed_out', errorCode: 'timeout', exitCode: null });
      await untilNoConnection(server);
      await new Promise((resolve) => silent.close(resolve));
    },
  );

  test('cancels the request on an abort, and sends no request if the abort comes before the start', async () => {
    let hits = 0;
    const { url, server } = await serve((_request, response) => {
      hits++;
      response.writeHead(200).write('ready');
    });
    const run = prepare({ url });
    const running = local.run(run);
    await run.seen('ready');
    run.abort();
    expect(await running).toEqual({ status: 'aborted', exitCode: null });
    await untilNoConnection(server);
    expect(await local.run(run)).toEqual({ status: 'aborted', exitCode: null });
    expect(hits).toBe(1);
  });

  test('rethrows internal errors instead of reporting them as a failure of the agent', async () => {
    const { url } = await serve((_request, response) => response.writeHead(200).write('x'));
    const run = prepare({ url });
    run.onOutput = () => {
      throw new Error('defect');
    };
    await expect(local.run(run)).rejects.toThrow('defect');
  });

  test('leaves no socket or timer open', async () => {
    const { url, server } = await serve((_request, response) => response.end('x'));
    const before = process.getActiveResourcesInfo().length;
    await Promise.all(Array.from({ length: 20 }, () => local.run(prepare({ url }))));
    await untilNoConnection(server);
    await new Promise(setImmediate);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});

test('the configuration of an http agent rejects unknown fields and values out of bounds', () => {
  const { configSchema } = local;
  const url = 'https://agent.example/run';
  expect(configSchema.parse({ url })).toEqual({
    url,
    method: 'POST',
    headers: {},
    timeoutSec: 300,
  });
  const refused: unknown[] = [
    {},
    { url: 'agent.example' },
    { url: 'ftp://agent.example/' },
    { url: 'file:///etc/passwd' },
    { url: 'https://user:pass@agent.example/' },
    { url: 'https://user@agent.example/' },
    { url, method: 'GET' },
    { url, follow: true },
    { url, timeoutSec: 3601 },
    { url, timeoutSec: 0 },
    ...['Host', 'Content-Length', 'transfer-encoding', 'Connection', 'a b', 'a:b', ''].map(
      (name) => ({
        url,
        headers: { [name]: 'x' },
      }),
    ),
    ...['a\r\nX: y', 'a\nb', '\0', '\u{1f600}'].map((value) => ({
      url,
      headers: { 'X-A': value },
    })),
  ];
  for (const config of refused) {
    expect(configSchema.safeParse(config)).toMatchObject({ success: false });
  }
});
