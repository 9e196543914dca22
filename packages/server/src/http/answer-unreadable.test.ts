import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { ErrorBody } from '@switchyard/types';
import express from 'express';
import { type Listening, listen } from '../lifecycle';
import { answerUnreadable } from './answer-unreadable';

const REQUEST = 'GET /quick HTTP/1.1\r\nHost: x\r\n';

function send(port: number, ...parts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

function parse(answer: string) {
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const [name = '', value = ''] = line.split(': ');
      return [name.toLowerCase(), value];
    }),
  );
  return { status: Number(head.split(' ')[1]), headers, body: JSON.parse(text) as ErrorBody };
}

describe('answerUnreadable', () => {
  let listening: Listening;

  beforeAll(async () => {
    const app = express();
    app.get('/quick', (_request, response) => void response.send('quick'));
    app.get('/half', (_request, response) => void response.write('half'));
    app.post('/wait', () => undefined);
    listening = await listen(app, '127.0.0.1', 0);
  });
  afterAll(() => listening.close(0));

  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n', 400, 'validation_error'],
    ['a header without a colon', `${REQUEST}broken\r\n\r\n`, 400, 'validation_error'],
    ['no Host header', 'GET /quick HTTP/1.1\r\n\r\n', 400, 'validation_error'],
    [
      'two lengths',
      `${REQUEST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
      'validation_error',
    ],
    [
      'an invalid chunk',
      'POST /wait HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\n',
      400,
      'validation_error',
    ],
    ['an unknown expectation', `${REQUEST}Expect: 200-maybe\r\n\r\n`, 417, 'expectation_failed'],
    ['too many headers', `${REQUEST}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('responds in the error format to a request with %s', async (_, request, status, code) => {
    const answer = parse(await send(listening.port, request));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('connection')).toBe('close');
    const requestId = answer.headers.get('x-correlation-id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body).toMatchObject({ error: expect.any(String), code, requestId });
    if (status === 400) expect(answer.body.details).toMatchObject([{ code: 'invalid_http' }]);
    if (status === 431) expect(answer.body.details).toEqual({ limitBytes: 16_384 });
  });

  it('returns the correlation id of the request if its headers are readable', async () => {
    const request = `${REQUEST}Expect: x\r\nX-Correlation-ID: mine\r\n\r\n`;
    expect(parse(await send(listening.port, request)).body.requestId).toBe('mine');
  });

  it('sends its error after a complete response, but never within a response', async () => {
    const both = await send(listening.port, `${REQUEST}\r\n`, 'hello\r\n\r\n');
    expect(both).toContain('quick');
    expect(both).toContain('HTTP/1.1 400 Bad Request');
    const half = `GET /half HTTP/1.1\r\nHost: x\r\n\r\n`;
    const cut = await new Promise<string>((resolve) => {
      let answer = '';
      const socket = connect(listening.port, '127.0.0.1', () => socket.write(half));
      socket.on('data', (text) => {
        answer += text;
        if (answer.includes('half')) socket.write('hello\r\n\r\n');
      });
      socket.on('error', () => undefined).on('close', () => resolve(answer));
    });
    expect(cut).not.toContain('400');
  });

  it('returns 408 for a request that takes too long', async () => {
    const server = createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 });
    answerUnreadable(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      const answer = parse(await send(port, 'GET / HTTP/1.1\r\n'));
      expect([answer.status, answer.body.code]).toEqual([408, 'request_timeout']);
    } finally {
      server.close();
    }
  });
});
