import { createConnection } from 'node:net';
import express from 'express';
import supertest from 'supertest';
import { z } from 'zod';
import { listen } from '../lifecycle';
import { silentLogger } from '../logging/logger';
import {
  finishApplication,
  JSON_BODY_LIMIT,
  logFailure,
  mount,
  type Pipeline,
  requestLog,
} from './mount';
import { Reply, type Route, routesFor } from './route';

interface Who {
  caller: string;
}

const route = routesFor<Who, 'anybody' | 'nobody'>();
const described = { operation: 'aThing', summary: 'A thing' };
const seen: string[] = [];

const pipeline: Pipeline<Who> = {
  check: ({ path }) => {
    if (path.includes(':unknown')) throw new Error(`${path} has no rule`);
  },
  admit: async ({ access }) => {
    if (access === 'nobody') throw Object.assign(new Error('defect'), { code: 'ECONNREFUSED' });
    return { caller: 'me' };
  },
  run: async (_route, call, handle) => {
    seen.push('run');
    return handle(call);
  },
};

function serve(routes: Route<Who>[]) {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(requestLog(silentLogger));
  mount(app, routes, pipeline);
  finishApplication(app, silentLogger);
  return app;
}

const things = [
  route({
    method: 'GET',
    path: '/things/:id',
    access: 'anybody',
    ...described,
    query: z.strictObject({ word: z.string().optional() }),
    handle: ({ params, query, caller }) => ({ id: params.id, word: query.word, caller }),
  }),
  route({
    method: 'GET',
    path: '/things/first',
    access: 'anybody',
    ...described,
    handle: () => ({ first: true }),
  }),
  route({
    method: 'POST',
    path: '/things/:id',
    access: 'anybody',
    ...described,
    body: z.strictObject({ n: z.int() }),
    handle: ({ body }) => new Reply({ n: body.n }, { status: 202, headers: { 'X-Extra': 'yes' } }),
  }),
  route({
    method: 'DELETE',
    path: '/things/:id',
    access: 'anybody',
    ...described,
    handle: () => undefined,
  }),
  route({
    method: 'POST',
    path: '/closed',
    access: 'nobody',
    ...described,
    body: z.any(),
    handle: () => 1,
  }),
  route({
    method: 'POST',
    path: '/broken',
    access: 'anybody',
    ...described,
    handle: () => {
      throw new Error('hunter2');
    },
  }),
];

describe('mount', () => {
  const api = supertest(serve(things));

  it('refuses a duplicate route, and a route without an access rule', () => {
    const twice = [things[0], things[0]] as Route<Who>[];
    expect(() => serve(twice)).toThrow('GET /things/:id is mounted twice');
    const unknown = route({
      method: 'GET',
      path: '/:unknown',
      access: 'anybody',
      ...described,
      handle: () => 1,
    });
    expect(() => serve([unknown])).toThrow('has no rule');
  });

  it('passes the parsed request to the handler, and sends the handler’s result', async () => {
    const got = await api.get('/things/7?word=x').expect(200);
    expect(got.body).toEqual({ id: '7', word: 'x', caller: 'me' });
    const posted = await api.post('/things/7').send({ n: 1 }).expect(202);
    expect(posted.body).toEqual({ n: 1 });
    expect(posted.headers['x-extra']).toBe('yes');
    const deleted = await api.delete('/things/7').expect(204);
    expect(deleted.text).toBe('');
  });

  it('prefers a fixed path segment to a parameter, whatever the order of the routes', async () => {
    expect((await api.get('/things/first').expect(200)).body).toEqual({ first: true });
    const { headers, body } = await api.delete('/things/first').expect(405);
    expect(headers.allow).toBe('GET, HEAD');
    expect(body).toMatchObject({ code: 'method_not_allowed', details: { allow: 'GET, HEAD' } });
    expect((await api.put('/things/7').expect(405)).headers.allow).toBe('GET, POST, DELETE, HEAD');
  });

  it('accepts HEAD for every GET route, and returns 405 for HEAD on other routes', async () => {
    const { headers, text } = await api.head('/things/7').expect(200);
    expect(headers['content-type']).toContain('application/json');
    expect(text).toBeUndefined();
    await api.head('/broken').expect(405);
  });

  it('sends the body of a JSON response, which has no ETag, whatever If-None-Match contains', async () => {
    const { body } = await api.get('/things/7').set('If-None-Match', '*').expect(200);
    expect(body.id).toBe('7');
  });

  it('does not run the handler for an invalid request', async () => {
    seen.length = 0;
    const json = (body: string) =>
      api.post('/things/7').set('Content-Type', 'application/json').send(body);
    for (const body of ['{', '{"n":1.5}', '{}', '{"n":1,"m":2}', 'null', '[]', '"x"', '']) {
      expect((await json(body).expect(400)).body.code).toBe('validation_error');
    }
    await api.post('/things/7?n=1').send({ n: 1 }).expect(400);
    await api.post('/things/7').set('Content-Type', 'text/plain').send('{"n":1}').expect(415);
    await api.post('/things/7').expect(400);
    await api.get('/things/7?word=a&word=b').expect(400);
    await api.get('/things/7?__proto__=a').expect(400);
    await api.delete('/things/7').send({ n: 1 }).expect(400);
    const large = `{"n":1,"m":"${'x'.repeat(JSON_BODY_LIMIT)}"}`;
    expect((await json(large).expect(413)).body.details).toEqual({ limitBytes: JSON_BODY_LIMIT });
    expect(seen).toEqual([]);
  });

  it('decompresses a body up to the usual size limit', async () => {
    const { gzipSync } = await import('node:zlib');
    const packed = (text: string) =>
      api
        .post('/things/7')
        .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .serialize((body) => body)
        .send(gzipSync(text) as unknown as string);
    await packed('{"n":1}').expect(202);
    await packed(`{"n":1,"m":"${'x'.repeat(50 * JSON_BODY_LIMIT)}"}`).expect(413);
  });

  it.each([
    ['Latin-1', Buffer.from('{"n":1,"caf\xe9":1}', 'latin1'), 'application/json', 400],
    ['an incomplete character', Buffer.from('{"n":1}\xc3', 'latin1'), 'application/json', 400],
    ['half a surrogate pair', Buffer.from('{"\xed\xa0\x80":1}', 'latin1'), 'application/json', 400],
    ['UTF-16', Buffer.from('{"n":1}', 'utf16le'), 'application/json; charset=utf-16', 415],
    ['another charset', Buffer.from('{"n":1}'), 'application/json; charset="latin1"', 415],
    ['an unknown content encoding', Buffer.from('{"n":1}'), 'application/json', 415, 'rot13'],
    ['an invalid content encoding', Buffer.from('{"n":1}'), 'application/json', 400, 'gzip'],
    ['a byte order mark', Buffer.from('\ufeff{"n":1}'), 'application/json;charset=UTF-8', 202],
  ])('accepts only JSON in UTF-8: %s', async (_, bytes, type, status, coding = 'identity') => {
    const { body } = await api
      .post('/things/7')
      .set({ 'Content-Type': type, 'Content-Encoding': coding })
      .serialize((each) => each)
      .send(bytes as unknown as string)
      .expect(status);
    if (status === 202) return;
    expect(body.code).toBe(status === 400 ? 'validation_error' : 'unsupported_media_type');
    const code = coding === 'gzip' ? 'invalid_coding' : 'invalid_utf8';
    if (status === 400) expect(body.details).toMatchObject([{ code }]);
  });

  it.each(['?word=%FF', '?word=caf%E9', '?word=%C3%28', '?%FF=a'])(
    'refuses a query that is not UTF-8: %s',
    async (query) => {
      const { body } = await api.get(`/things/7${query}`).expect(400);
      expect(body.details).toMatchObject([{ code: 'invalid_utf8' }]);
    },
  );

  it('returns 404 for a path that is not UTF-8', async () => {
    await api.get('/things/%FF').expect(404);
    await api.get('/nothing/%FF').expect(404);
  });

  it('accepts a single percent sign in a query', async () => {
    const { body } = await api.get('/things/7?word=100%&').expect(200);
    expect(body.word).toBe('100%');
  });

  it('hides unexpected errors, and returns 503 if a component is unreachable', async () => {
    const { body, text } = await api.post('/broken').expect(500);
    expect(body).toEqual({
      error: 'internal error; the log contains the reason under this requestId',
      code: 'internal_error',
      requestId: expect.any(String),
    });
    expect(text).not.toContain('hunter2');
    const away = await api.post('/closed').send({}).expect(503);
    expect(away.headers['retry-after']).toBe('1');
  });

  it.each([
    ['ENOSPC', 'a disk or the memory is full'],
    ['53100', 'a disk or the memory is full'],
    ['ECONNREFUSED', 'requests fail with 503'],
  ])('logs repeated errors with the code %s only once, with the message “%s”', (code, message) => {
    const logged: string[] = [];
    const logger = { ...silentLogger, error: (text: string) => logged.push(text) };
    for (const _ of [1, 2]) logFailure(logger, Object.assign(new Error('fault'), { code }));
    expect(logged).toEqual([message]);
  });

  it('closes the connection after a request whose body was not read', async () => {
    const listening = await listen(serve(things), '127.0.0.1', 0);
    const answersTo = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = createConnection(listening.port, '127.0.0.1', () => socket.write(text));
        let answer = '';
        socket.setEncoding('utf8').on('data', (chunk) => {
          answer += chunk;
          socket.end();
        });
        socket.on('error', () => undefined).on('close', () => resolve(answer));
      });
    const inner = 'DELETE /things/7 HTTP/1.1\r\nHost: x\r\n\r\n';
    const unread = ['POST /nothing', 'PUT /things/7', 'POST /closed'];
    seen.length = 0;
    for (const line of unread) {
      const head = `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      const answer = await answersTo(`${head}Content-Length: 2000\r\n\r\n${inner}`);
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    }
    expect(seen).toEqual([]);
    await listening.close(1_000);
  });

  it('keeps the connection open after a refused request without a body', async () => {
    const listening = await listen(serve(things), '127.0.0.1', 0);
    const answers = await new Promise<string>((resolve) => {
      const lines = ['GET /nothing', 'DELETE /nothing', 'GET /things/7'];
      const socket = createConnection(listening.port, '127.0.0.1', () => {
        socket.write(lines.map((line) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
      });
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
        if (answer.match(/HTTP\/1\.1/g)?.length === lines.length) socket.end();
      });
      socket.on('close', () => resolve(answer));
    });
    expect(answers).not.toMatch(/Connection: close/i);
    expect(answers.match(/HTTP\/1\.1 404/g)).toHaveLength(2);
    await listening.close(1_000);
  });
});
