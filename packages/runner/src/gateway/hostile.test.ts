import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { until } from '@switchyard/testing';
import { request } from 'undici';
import {
  closeAll,
  RUN_TOKEN,
  resolver,
  type StartedGateway,
  sendBytes,
  serve,
  startGateway,
} from '../../test/gateway/start-gateway';

const authorization = `Authorization: Bearer ${RUN_TOKEN}`;

let seen: string[];
let gateway: StartedGateway;
let apiPort: number;
const faults: unknown[] = [];
const note = (fault: unknown) => faults.push(fault);
const EVENTS = ['uncaughtException', 'unhandledRejection', 'warning'] as const;

async function start(limits: object = {}) {
  seen = [];
  const { port } = await serve((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    incoming.resume().on('end', () => response.end('api'));
  });
  apiPort = port;
  gateway = await startGateway({
    apiUrl: `http://127.0.0.1:${port}`,
    rules: { allowedHosts: [], lookup: resolver({}) },
    limits,
  });
}

async function isAlive() {
  const before = seen.length;
  const headers = { authorization: `Bearer ${RUN_TOKEN}` };
  const answer = await request(`${gateway.url}/alive`, { headers });
  expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'api']);
  expect(seen.splice(before)).toEqual(['GET /alive']);
}

beforeEach(() => {
  for (const event of EVENTS) process.on(event, note);
});
afterEach(async () => {
  await closeAll();
  for (const event of EVENTS) process.off(event, note);
  expect(faults.splice(0)).toEqual([]);
});

function heldBytes(): number {
  for (let last = 0; ; ) {
    Buffer.alloc(1024 * 1024);
    const now = process.memoryUsage().arrayBuffers;
    if (now < last) return now;
    last = now;
  }
}

const CRLF = '\r\n';
const lines = (...all: string[]) => `${all.join(CRLF)}${CRLF}${CRLF}`;
const own = (...all: string[]) => lines(`POST /x HTTP/1.1`, 'Host: x', authorization, ...all);

describe('gateway with malformed HTTP/1.1', () => {
  it.each<[string, string | Buffer]>([
    ['random bytes', randomBytes(100_000)],
    ['NUL bytes', Buffer.alloc(10_000)],
    ['a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex')],
    ['SOCKS5', Buffer.from('05010001', 'hex').subarray(0)],
    ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no version', 'GET /x\r\n\r\n'],
    ['another version', 'GET /x HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['an unknown method', lines('BREW /x HTTP/1.1', 'Host: x', authorization)],
    ['a space before a colon', lines('GET /x HTTP/1.1', 'Host : x', authorization)],
    ['a folded header', lines('GET /x HTTP/1.1', 'Host: x', 'A: b', ' c: d', authorization)],
    ['a control character', lines('GET /x HTTP/1.1', 'Host: x', 'A: \x01\x00', authorization)],
    ['no Host', lines('GET /x HTTP/1.1', authorization)],
    [
      'a length before chunks',
      `${own('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    [
      'chunks before a length',
      `${own('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`,
    ],
    ['two lengths', `${own('Content-Length: 1', 'Content-Length: 2')}ab`],
    ['two lengths in one header', `${own('Content-Length: 1, 1')}a`],
    ['a signed length', `${own('Content-Length: +1')}a`],
    ['a huge length', own('Content-Length: 99999999999999999999999')],
    [
      'a chunked coding that is not the last',
      `${own('Transfer-Encoding: chunked, gzip')}0\r\n\r\n`,
    ],
    ['a coding with a name similar to chunked', `${own('Transfer-Encoding: xchunked')}0\r\n\r\n`],
    [
      'a chunked coding followed by another',
      `${own('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n`,
    ],
    ['a chunk with an invalid size', `${own('Transfer-Encoding: chunked')}zz\r\n\r\n`],
    ['a chunk with a negative size', `${own('Transfer-Encoding: chunked')}-1\r\n\r\n`],
    ['a huge chunk', `${own('Transfer-Encoding: chunked')}fffffffffffffffff\r\n\r\n`],
    ['bare line feeds in chunks', `${own('Transfer-Encoding: chunked')}1\na\n0\n\n`],
    ['a fragment', lines('GET /x#y HTTP/1.1', 'Host: x', authorization)],
    ['a backslash', lines('GET \\x HTTP/1.1', 'Host: x', authorization)],
    ['an asterisk', lines('OPTIONS * HTTP/1.1', 'Host: x', authorization)],
  ])('rejects %s with 4xx, and closes the connection', async (_what, bytes) => {
    await start();
    const answer = await sendBytes(
      gateway.port,
      bytes,
      lines('GET /smuggled HTTP/1.1', 'Host: x', authorization, 'Connection: close'),
    );
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses[0]).toMatch(/^4\d\d$/);
    await until('the connection is gone', () => gateway.open.size === 0);
    const rest = seen.filter((line) => line !== 'POST /x');
    expect([[], ['GET /smuggled']]).toContainEqual(rest);
    if (rest.length > 0) expect(statuses).toEqual([expect.stringMatching(/^4/), '200']);
    await isAlive();
  });
});

it.each(['POST', 'GET', 'DELETE', 'PROPFIND'])(
  'the gateway does not treat the body of a %s request as another request to the API',
  async (method) => {
    await start();
    const own = (...all: string[]) =>
      lines(`${method} /x HTTP/1.1`, 'Host: x', authorization, ...all);
    const hidden = lines('GET /hidden HTTP/1.1', 'Host: x', authorization);
    const bodies = [
      `${own(`Content-Length: ${hidden.length}`)}${hidden}`,
      `${own('Transfer-Encoding: chunked')}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      `${own(`Content-Length: ${hidden.length}`, 'Connection: content-length, close')}${hidden}`,
      `${own('Transfer-Encoding: chunked', 'Connection: transfer-encoding, close')}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\nX: y\r\n\r\n`,
    ];
    for (const body of bodies) {
      const last = lines('GET /last HTTP/1.1', 'Host: x', authorization, 'Connection: close');
      await sendBytes(gateway.port, body, last);
    }
    expect(new Set(seen)).toEqual(new Set([`${method} /x`, 'GET /last']));
    await isAlive();
  },
);

describe('gateway with unusual addresses', () => {
  it.each(
    [
      '127.0.0.1',
      ':443',
      'example.org:',
      'example.org:0',
      'example.org:65536',
      'example.org:443:80',
      'example.org:44 3',
      'user@example.org:443',
      'user:password@example.org:443',
      'http://example.org:443/',
      'https://example.org/',
      '/x',
      '*',
      '[::1',
      '[fe80::1%25eth0]:443',
      '[::1]443',
      'exa mple.org:443',
      'example..org:443',
      '.example.org:443',
      'exämple.org:443',
      'a%2eb:443',
      'example.org:443/../',
      `${'a'.repeat(300)}:443`,
      `${'a.'.repeat(10_000)}:443`,
    ].map((target) => [target.slice(0, 60), target] as const),
  )('rejects CONNECT %s', async (_name, target) => {
    await start();
    const answer = await sendBytes(
      gateway.port,
      Buffer.from(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, 'utf8'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    await isAlive();
  });

  it.each([
    'http://',
    'http:///x',
    'http:/x',
    'http://user@example.org/',
    'http://user:password@127.0.0.1/',
    'http://example.org\\@127.0.0.1/',
    'http://127.0.0.1%2fexample.org/',
    'http://example.org:port/',
    'http://example.org:99999/',
    'https://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'ws://example.org/',
    '//example.org/x y',
    'http://[::ffff:127.0.0.1]/',
    'http://0/',
    'http://127.0.0.1./',
    'http://example.org/#x',
    'HTTP://LOCALHOST/',
  ])('rejects GET %s', async (target) => {
    await start();
    const host = `Host: 127.0.0.1:${apiPort}`;
    const answer = await sendBytes(
      gateway.port,
      lines(`GET ${target} HTTP/1.1`, host, 'Cookie: session=board', 'Connection: close'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (?:4\d\d|502) /);
    expect(seen).toEqual([]);
    await isAlive();
  });

  it.each(['127.0.0.1', 'localhost', 'evil.example', '', 'x\r\nHost: 127.0.0.1'])(
    'sends nothing to the API for the Host %j',
    async (host) => {
      await start();
      for (const target of ['/api/companies', '//api/companies', '/api/../api/companies']) {
        const answer = await sendBytes(
          gateway.port,
          lines(`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Cookie: a=b', 'Connection: close'),
        );
        expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      }
      expect(seen).toEqual([]);
      await isAlive();
    },
  );
});

describe('gateway with endless or excessive requests', () => {
  it('rejects headers above 32 KiB', async () => {
    await start();
    for (const header of ['a', 'x'.repeat(1_000)]) {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.on('error', () => undefined);
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write('GET /x HTTP/1.1\r\n');
      const more = () => {
        for (let at = 0; at < 100; at++) socket.write(`${header}${at}: y\r\n`);
        if (!socket.destroyed) setImmediate(more);
      };
      more();
      await closed;
      expect(answer === '' || answer.startsWith('HTTP/1.1 431 ')).toBe(true);
    }
    expect(await sendBytes(gateway.port, `GET /${'x'.repeat(40_000)}`)).toMatch(/^HTTP\/1\.1 431 /);
    await isAlive();
  });

  it('closes a connection whose request arrives slowly or not at all', async () => {
    await start({ headersMs: 300 });
    const socket = connect(gateway.port, '127.0.0.1');
    let answer = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write('GET /x HTTP/1.1\r\nA: ');
    const drip = setInterval(() => socket.write('b'), 20);
    const silent = sendBytes(gateway.port);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(await silent).toMatch(/^(?:HTTP\/1\.1 408 .*)?/);
    await until('both are gone', () => gateway.open.size === 0);
    await isAlive();
  });

  it('accepts 256 of a thousand connections, and rejects the others with 503', async () => {
    await start();
    const sockets: Socket[] = [];
    let refused = 0;
    let gone = 0;
    for (let at = 0; at < 1_000; at++) {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.once('data', (chunk) => {
        if (String(chunk).startsWith('HTTP/1.1 503 ')) refused++;
      });
      socket.once('close', () => gone++);
      sockets.push(socket);
    }
    await until('the others are gone', () => gone === 744 && gateway.open.size === 256);
    expect(refused).toBe(744);
    for (const socket of sockets) socket.destroy();
    await until('all are gone', () => gateway.open.size === 0);
    await isAlive();
  });

  it('responds to ten thousand pipelined requests on one connection', async () => {
    await start({ requests: 20 });
    const one = lines('GET /x HTTP/1.1', 'Host: x', authorization);
    const last = lines('GET /x HTTP/1.1', 'Host: x', authorization, 'Connection: close');
    const answer = await sendBytes(gateway.port, one.repeat(9_999), last);
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toHaveLength(10_000);
    expect(new Set(statuses)).toEqual(new Set(['200', '503']));
    await isAlive();
  });

  it('aborts pipelined requests to the API when the client’s connection closes', async () => {
    let [begun, ended] = [0, 0];
    const { port } = await serve((_incoming, response) => {
      begun++;
      response.once('close', () => ended++);
      response.writeHead(200).write('more follows');
    });
    const apiUrl = `http://127.0.0.1:${port}`;
    const hanging = await startGateway({ apiUrl, limits: { requests: 20 } });
    for (let round = 1; round <= 3; round++) {
      const socket = connect(hanging.port, '127.0.0.1');
      socket.write(lines('GET /x HTTP/1.1', 'Host: x', authorization).repeat(20));
      await until('all have begun', () => begun === 20 * round);
      socket.destroy();
      await until('all have ended', () => ended === 20 * round);
    }
  });

  it('closes the connection of a client that disconnects at any point of a request', async () => {
    await start();
    const target = `127.0.0.1:${apiPort}`;
    const starts = [
      '',
      'GET /x',
      own('Content-Length: 100'),
      `${own('Content-Length: 100')}half`,
      `${own('Transfer-Encoding: chunked')}5\r\nab`,
      lines('GET /x HTTP/1.1', 'Host: x', authorization),
      lines('CONNECT example.org:443 HTTP/1.1', 'Host: x'),
      lines(`CONNECT ${target} HTTP/1.1`, 'Host: x'),
      lines('GET http://example.org/ HTTP/1.1', 'Host: x'),
    ];
    for (const text of starts) {
      for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const socket = connect(gateway.port, '127.0.0.1');
        socket.on('error', () => undefined);
        await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
        await new Promise<void>((resolve) => socket.write(text || ' ', () => resolve()));
        socket.resume()[leave]();
      }
    }
    await until('all are gone', () => gateway.open.size === 0);
    await isAlive();
  });

  it('does not store an endless rejected body while reading it, and eventually closes the connection', async () => {
    await start();
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).resume();
    socket.write(lines('POST /x HTTP/1.1', 'Host: x', `Content-Length: ${2 ** 40}`));
    const chunk = Buffer.alloc(1024 * 1024);
    const before = heldBytes();
    const more = (): void => {
      if (!socket.destroyed) socket.write(chunk, () => setImmediate(more));
    };
    more();
    await closed;
    await until('little of it is held', () => heldBytes() - before < 8 * 1024 * 1024);
    await isAlive();
  });
});

it('the gateway responds with 502 to invalid responses of the server', async () => {
  const answers = [
    'nonsense\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(200_000)}\r\n\r\n`,
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw',
    '',
  ];
  await start();
  const { createServer } = await import('node:net');
  const broken = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answers[0] ?? ''));
  });
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const { port } = broken.address() as { port: number };
  const through = await startGateway({ apiUrl: `http://127.0.0.1:${port}` });
  while (answers.length > 0) {
    const answer = await sendBytes(
      through.port,
      lines('GET /x HTTP/1.1', 'Host: x', authorization, 'Connection: close'),
    );
    expect([answers[0]?.slice(0, 60), answer.slice(0, 12)]).toEqual([
      answers[0]?.slice(0, 60),
      'HTTP/1.1 502',
    ]);
    answers.shift();
  }
  await new Promise((resolve) => broken.close(resolve));
});
