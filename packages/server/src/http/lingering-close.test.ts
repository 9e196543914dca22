import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { type Listening, listen } from '../lifecycle';
import { closeLingering, lingerAfterEarlyAnswers } from './lingering-close';

const MEGABYTE = 1_000_000;

function sendThenRead(port: number, head: string, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.write(`${head}\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body, () => socket.resume());
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

function sendForEver(port: number, head: string, piece: Buffer, pauseMs = 0): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    const more = (): void => {
      if (socket.destroyed) return;
      socket.write(piece, () => (pauseMs ? setTimeout(more, pauseMs) : setImmediate(more)));
    };
    socket.write(`${head}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`, more);
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(answer));
  });
}

const chunk = (bytes: number) => Buffer.from(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`);

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe('a response to a request that was not read completely', () => {
  let listening: Listening;

  beforeAll(async () => {
    const app = express();
    app.post('/refused', (_request, response) => void response.status(401).json({ no: true }));
    app.post('/refused/later', (_request, response) => {
      setImmediate(() => response.status(401).json({ no: true }));
    });
    app.post('/plain', (_request, response) => void response.writeHead(403).end('no'));
    app.post('/empty', (_request, response) => void response.status(204).end());
    listening = await listen(app, '127.0.0.1', 0);
  });
  afterAll(() => listening.close(0));

  it.each([
    ['JSON', '/refused', 401],
    ['a head before the body', '/plain', 403],
    ['no body', '/empty', 204],
  ])('reaches a client that sends everything before it reads: %s', async (_, path, status) => {
    for (const size of [100, 100_000, 3 * MEGABYTE, 14 * MEGABYTE]) {
      const body = Buffer.alloc(size);
      const head = `POST ${path} HTTP/1.1\r\nConnection: close`;
      const answers = [1, 2, 3].map(() => sendThenRead(listening.port, head, body));
      for (const answer of await Promise.all(answers)) {
        expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      }
    }
  });

  it('reaches a client that is still sending, and contains Connection: close', async () => {
    const answer = await new Promise<{ status?: number; connection?: string }>(
      (resolve, reject) => {
        const options = { port: listening.port, method: 'POST', path: '/refused' };
        const sent = request(options, ({ statusCode: status, headers }) => {
          resolve({ status, connection: headers.connection });
          sent.destroy();
        });
        sent.on('error', reject);
        sent.write('x');
      },
    );
    expect(answer).toEqual({ status: 401, connection: 'close' });
  });

  it('leaves the connection open if the whole request has arrived', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const head = 'POST /refused/later HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n';
      const socket = connect(listening.port, '127.0.0.1', () => socket.write(`${head}short`));
      socket.once('data', (text) => {
        resolve(String(text));
        socket.destroy();
      });
      socket.on('error', reject);
    });
    expect(answer).toMatch(/\r\nConnection: keep-alive\r\n/i);
  });

  it('makes the server discard the rest of the body instead of parsing it as a request', async () => {
    const inner = 'POST /refused HTTP/1.1\r\nHost: x\r\n\r\n';
    const body = Buffer.concat([Buffer.from(inner), Buffer.alloc(3 * MEGABYTE)]);
    const answer = await sendThenRead(listening.port, 'POST /refused HTTP/1.1', body);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('reaches a client that never stops sending', async () => {
    const answer = await sendForEver(listening.port, 'POST /refused HTTP/1.1', chunk(4 * MEGABYTE));
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe('lingerAfterEarlyAnswers', () => {
  it('closes the connection of a client that sends slowly and never stops', async () => {
    const bounds = { bytes: MEGABYTE, ms: 100, closeMs: 50 };
    const server = createServer((_request, response) => void response.writeHead(429).end('no'));
    lingerAfterEarlyAnswers(server, bounds);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const slow = await sendForEver(portOf(server), 'POST / HTTP/1.1', chunk(1), 5);
      expect(slow).toMatch(/^HTTP\/1.1 429 /);
    } finally {
      server.close();
    }
  });
});

describe('closeLingering', () => {
  it('delivers the last response to a client that is still sending', async () => {
    const server = createServer();
    server.on('connect', (_request, socket) =>
      closeLingering(socket, 'HTTP/1.1 403 Forbidden\r\n\r\n'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const head = 'CONNECT x:1 HTTP/1.1';
      const answer = await sendThenRead(portOf(server), head, Buffer.alloc(14 * MEGABYTE));
      expect(answer).toMatch(/^HTTP\/1.1 403 /);
    } finally {
      server.close();
    }
  });
});
