import { connect } from 'node:net';
import { until } from '@switchyard/testing';
import fc from 'fast-check';
import {
  closeAll,
  RUN_TOKEN,
  resolver,
  serve,
  startGateway,
} from '../../test/gateway/start-gateway';

/** Another seed finds other cases: `FUZZ_RUNS=20000 FUZZ_SEED=7`. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 300);
const seed = Number(process.env.FUZZ_SEED ?? 1);

const KEY = 'the-key-of-the-provider';
const CREDENTIAL = 'the-credential-of-the-repository';
const own = `Host: x\r\nAuthorization: Bearer ${RUN_TOKEN}\r\n`;

const whole = (apiPort: number) => [
  `GET /api/x HTTP/1.1\r\n${own}\r\n`,
  `POST /api/x HTTP/1.1\r\n${own}Content-Length: 5\r\n\r\nhello`,
  `POST /api/x HTTP/1.1\r\n${own}Cookie: a=b\r\nX-Forwarded-For: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  `GET http://127.0.0.1:${apiPort}/api/x HTTP/1.1\r\nHost: y\r\nCookie: a=b\r\n\r\n`,
  `CONNECT 127.0.0.1:${apiPort} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n\x16\x03\x01',
  'GET /providers/anthropic/v1/../x HTTP/1.1\r\nHost: x\r\nX-Api-Key: x\r\n\r\n',
  `GET /repositories/0/info/refs?service=git-upload-pack HTTP/1.1\r\n${own}\r\n`,
  'GET ws://x/ HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
];

const PIECES = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    ':',
    '@',
    '[',
    ']',
    '//',
    '%2e%2e/',
    '\xff',
    '0\r\n\r\n',
  ],
  ...['Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n', 'Connection: close\r\n'],
  ...['HTTP/1.0', 'http://', 'Host: y\r\n', 'Expect: 100-continue\r\n', 'a'.repeat(5_000)],
];

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(10),
  added: fc.oneof(fc.constantFrom(...PIECES), fc.constant('')),
});

const EVENTS = ['uncaughtException', 'unhandledRejection', 'warning'] as const;
afterEach(closeAll);

it('the gateway opens no forbidden connection and remains usable after randomly modified requests', async () => {
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  for (const event of EVENTS) process.on(event, note);
  const { port: apiPort } = await serve((request, response) => {
    const { authorization, cookie, 'x-forwarded-for': forwarded } = request.headers;
    const isClean = cookie === undefined && forwarded === undefined;
    if (authorization !== `Bearer ${RUN_TOKEN}` || !isClean) faults.push(request.rawHeaders);
    request.on('error', () => undefined);
    request.resume().on('end', () => response.end('api'));
  });
  const gateway = await startGateway({
    apiUrl: `http://127.0.0.1:${apiPort}`,
    rules: { allowedHosts: [], lookup: resolver({}) },
    repositories: [
      {
        prefix: '/repositories/0',
        url: 'https://127.0.0.1:1/a.git',
        credential: CREDENTIAL,
        caFile: null,
      },
    ],
    providers: { anthropic: { baseUrl: 'http://127.0.0.1:1', header: 'x-api-key', value: KEY } },
  });
  const requests = fc.array(fc.constantFrom(...whole(apiPort)), { minLength: 1, maxLength: 2 });
  const leaving = fc.constantFrom('end', 'resetAndDestroy' as const);
  await fc.assert(
    fc.asyncProperty(
      requests,
      fc.array(change, { maxLength: 6 }),
      leaving,
      async (parts, changes, leave) => {
        const text = changes.reduce((bytes, { at, removed, added }) => {
          const place = Math.floor(at * bytes.length);
          return bytes.slice(0, place) + added + bytes.slice(place + removed);
        }, parts.join(''));
        const answer = await send(gateway.port, text, leave);
        const [, status] = /HTTP\/1\.1 (5\d\d)/.exec(answer) ?? [];
        expect([undefined, '502', '504']).toContain(status);
        expect(answer).not.toContain(KEY);
        expect(answer).not.toContain(CREDENTIAL);
        expect(faults).toEqual([]);
      },
    ),
    { numRuns, seed },
  );
  await until('nothing is left behind', () => gateway.open.size === 0);
  for (const event of EVENTS) process.off(event, note);
});

function send(port: number, text: string, leave: 'end' | 'resetAndDestroy'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.write(Buffer.from(text, 'latin1'), () => socket[leave]());
  });
}
