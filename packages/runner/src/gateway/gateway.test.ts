import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { until } from '@switchyard/testing';
import { Agent, request } from 'undici';
import {
  closeAll,
  RUN_TOKEN,
  resolver,
  sendBytes,
  serve,
  startGateway,
} from '../../test/gateway/start-gateway';

afterEach(closeAll);

const authorization = `Bearer ${RUN_TOKEN}`;

async function startApi() {
  const seen: IncomingMessage[] = [];
  const { port, server } = await serve(async (incoming, response) => {
    seen.push(incoming);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.end(JSON.stringify({ url: incoming.url, body: Buffer.concat(chunks).toString() }));
  });
  return { url: `http://127.0.0.1:${port}`, port, server, seen };
}

describe('gateway to the API', () => {
  it.each([
    ['no token', {}],
    ['another token', { authorization: 'Bearer other' }],
    ['another scheme', { authorization: `Basic ${RUN_TOKEN}` }],
    ['two tokens', { authorization: [authorization, 'Bearer other'] }],
    ['the token in a cookie', { cookie: `session=${RUN_TOKEN}` }],
    ['the token in another header', { 'x-api-key': RUN_TOKEN }],
  ])('rejects a request with %s', async (_what, headers) => {
    const api = await startApi();
    const { url } = await startGateway({ apiUrl: api.url });
    const answer = await request(`${url}/api/agents/me`, { headers });
    expect(answer.statusCode).toBe(401);
    expect(await answer.body.json()).toEqual({
      code: 'unauthenticated',
      error: expect.stringContaining('$SERVICE_API_KEY'),
    });
    expect(api.seen).toEqual([]);
  });

  it('forwards a request that has the run’s token, but removes its cookies and proxy headers', async () => {
    const api = await startApi();
    const { url } = await startGateway({ apiUrl: `${api.url}/base/` });
    const answer = await request(`${url}/api/issues?x=%2F..#f`.replace('#f', ''), {
      method: 'POST',
      headers: {
        authorization,
        cookie: 'session=stolen',
        forwarded: 'for=10.0.0.1',
        'x-forwarded-for': '10.0.0.1',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-real-ip': '10.0.0.1',
        'proxy-authorization': 'Basic eA==',
        'x-kept': 'yes',
        'content-type': 'application/json',
      },
      body: '{"title":"ü"}',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(await answer.body.json()).toEqual({
      url: '/base/api/issues?x=%2F..',
      body: '{"title":"ü"}',
    });
    const { headers } = api.seen[0] as IncomingMessage;
    expect(headers).toMatchObject({
      authorization,
      'x-kept': 'yes',
      host: `127.0.0.1:${api.port}`,
    });
    expect(Object.keys(headers).sort()).toEqual([
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'x-kept',
    ]);
  });

  it('forwards the token even if the client lists the Authorization header in Connection', async () => {
    const api = await startApi();
    const { port } = await startGateway({ apiUrl: api.url });
    const passed = await sendBytes(
      port,
      `GET /api/x HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close, Authorization\r\n\r\n`,
    );
    expect(passed).toMatch(/^HTTP\/1\.1 200 /);
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual([authorization]);
  });

  it.each(['by its address', 'by the machine name', 'at the gateway'])(
    'requires the token for proxied API requests that address the API %s',
    async (route) => {
      const api = await startApi();
      const gateway = await startGateway({
        apiUrl: api.url,
        rules: { allowedHosts: ['localhost'] },
      });
      const host = {
        'by its address': `127.0.0.1:${api.port}`,
        'by the machine name': `localhost:${api.port}`,
        'at the gateway': `127.0.0.1:${gateway.port}`,
      }[route];
      const ask = (headers: string) =>
        sendBytes(
          gateway.port,
          `GET http://${host}/api/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`,
        );
      expect(await ask('Cookie: session=board\r\n')).toMatch(/^HTTP\/1\.1 401 /);
      expect(api.seen).toEqual([]);
      const passed = await ask(`Authorization: ${authorization}\r\nCookie: session=board\r\n`);
      expect(passed).toMatch(/^HTTP\/1\.1 200 /);
      expect(api.seen[0]?.headers.cookie).toBeUndefined();
      const tunnel = `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      expect(await sendBytes(gateway.port, tunnel)).toMatch(/^HTTP\/1\.1 403 /);
      expect(api.seen).toHaveLength(1);
    },
  );

  it('streams events as they arrive, and ends the stream when the client disconnects', async () => {
    const left = new AbortController();
    let send = (_text: string) => {};
    const { port } = await serve((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      send = (text) => void response.write(text);
      response.once('close', () => left.abort());
    });
    const { url } = await startGateway({ apiUrl: `http://127.0.0.1:${port}` });
    const answer = await request(`${url}/api/events`, { headers: { authorization } });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    const reader = answer.body[Symbol.asyncIterator]();
    for (const text of ['data: one\n\n', 'data: two\n\n']) {
      send(text);
      expect(String((await reader.next()).value)).toBe(text);
    }
    answer.body.on('error', () => undefined).destroy();
    await until('the API saw the end', () => left.signal.aborted);
  });

  it('forwards an upload only as fast as the API reads it', async () => {
    let read = () => {};
    const { port } = await serve((incoming, response) => {
      incoming.pause();
      read = () => {
        let size = 0;
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
        });
        incoming.on('end', () => response.end(String(size)));
        incoming.resume();
      };
    });
    const { url } = await startGateway({ apiUrl: `http://127.0.0.1:${port}` });
    const total = 256 * 1024 * 1024;
    let given = 0;
    async function* body() {
      const chunk = Buffer.alloc(64 * 1024);
      while (given < total) {
        given += chunk.length;
        yield chunk;
      }
    }
    const uploading = request(`${url}/api/files`, {
      method: 'PUT',
      headers: { authorization },
      body: Readable.from(body()),
    });
    let before = -1;
    await until('the upload stands still', async () => {
      const isStill = given > 0 && given === before;
      before = given;
      await new Promise((resolve) => setImmediate(resolve));
      return isStill;
    });
    expect(given).toBeLessThan(32 * 1024 * 1024);
    read();
    expect(await (await uploading).body.text()).toBe(String(total));
  });

  it('forwards a response that the API sends before the end of an upload', async () => {
    const { port } = await serve((_incoming, response) => {
      response.writeHead(413).end('too large');
    });
    const { url } = await startGateway({ apiUrl: `http://127.0.0.1:${port}` });
    const dispatcher = new Agent();
    const answer = await request(`${url}/api/files`, {
      method: 'POST',
      headers: { authorization },
      body: Buffer.alloc(4 * 1024 * 1024),
      dispatcher,
    });
    expect(answer.statusCode).toBe(413);
    await answer.body.dump();
    await dispatcher.destroy();
  });

  it('accepts requests to PUBLIC_URL with the run’s token, but opens no tunnel to it', async () => {
    const api = await startApi();
    const { port } = await startGateway({
      apiUrl: api.url,
      publicUrl: `https://board.example:${api.port}/base`,
      rules: {
        allowedHosts: ['board.example'],
        lookup: resolver({ 'board.example': ['127.0.0.1'] }),
      },
    });
    for (const place of [api.port, 443, 80].map((number) => `Board.EXAMPLE.:${number}`)) {
      const tunnel = await sendBytes(port, `CONNECT ${place} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(tunnel).toContain('HTTP/1.1 403 Forbidden: use SERVICE_API_URL');
      const ask = (token: string) =>
        sendBytes(
          port,
          `GET http://${place}/api/x HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nConnection: close\r\n\r\n`,
        );
      expect(await ask('Bearer other')).toMatch(/^HTTP\/1\.1 401 /);
      expect(await ask(authorization)).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(api.seen).toHaveLength(3);
  });

  it('rejects an upgrade, and removes an offer of HTTP/2', async () => {
    const api = await startApi();
    const { port } = await startGateway({ apiUrl: api.url });
    const ask = (upgrade: string) =>
      sendBytes(
        port,
        `GET /api/x HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAMAAABk\r\nConnection: close, Upgrade, HTTP2-Settings\r\n\r\n`,
      );
    expect(await ask('websocket')).toMatch(/^HTTP\/1\.1 400 /);
    expect(api.seen).toEqual([]);
    expect(await ask('h2c')).toMatch(/^HTTP\/1\.1 200 /);
    expect(api.seen[0]?.headers).not.toHaveProperty('upgrade');
    expect(api.seen[0]?.headers).not.toHaveProperty('http2-settings');
  });

  it('responds with an error while the API is unreachable, and recovers afterwards', async () => {
    const api = await startApi();
    api.server.closeAllConnections();
    await new Promise((resolve) => api.server.close(resolve));
    const { url } = await startGateway({ apiUrl: api.url });
    const ask = () => request(`${url}/api/x`, { headers: { authorization } });
    const away = await ask();
    expect([away.statusCode, await away.body.json()]).toEqual([
      502,
      { error: 'the API could not be reached (ECONNREFUSED)', code: 'unavailable' },
    ]);
    const back = createServer((_incoming, response) => response.end('back'));
    back.listen(api.port, '127.0.0.1');
    await once(back, 'listening');
    expect(await (await ask()).body.text()).toBe('back');
    back.closeAllConnections();
    back.close();
  });
});

it('the gateway closes every connection on both sides when the run ends', async () => {
  const ended: string[] = [];
  const { port, server } = await serve((_incoming, response) => {
    response.once('close', () => ended.push('stream'));
    response.writeHead(200).write('x');
  });
  server.on('connection', (socket) => socket.once('close', () => ended.push('socket')));
  const { gateway, url, open } = await startGateway({
    apiUrl: 'http://127.0.0.1:1',
    rules: { allowedHosts: [`127.0.0.1:${port}`] },
  });
  const tunnel = request(`${url}/x`, { headers: { authorization } }).catch(() => null);
  await tunnel;
  const stream = sendBytes(
    Number(new URL(url).port),
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  const raw = sendBytes(
    Number(new URL(url).port),
    `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  await until('both are open', async () => {
    const count = await new Promise<number>((resolve) =>
      server.getConnections((_error, number) => resolve(number)),
    );
    return count === 2;
  });
  await gateway.close();
  await Promise.all([stream, raw]);
  await until('all is closed', () => ended.length === 3 && open.size === 0);
  await expect(sendBytes(Number(new URL(url).port), 'GET / HTTP/1.1\r\n\r\n')).resolves.toBe('');
});
