import express from 'express';
import supertest from 'supertest';
import { z } from 'zod';
import { silentLogger } from '../logging/logger';
import { finishApplication, mount, type Pipeline, requestLog } from './mount';
import { Reply, type Route, routesFor } from './route';
import { TextBody } from './text-body';

const route = routesFor<object, 'public'>();
const described = { access: 'public', operation: 'aThing', summary: 'A thing' } as const;

const plain: Pipeline<object> = {
  check: () => undefined,
  admit: async () => ({}),
  run: (_route, call, handle) => handle(call),
};

function serve(routes: Route<object>[], pipeline: Pipeline<object>) {
  const app = express();
  app.use(requestLog(silentLogger));
  mount(app, routes, pipeline);
  finishApplication(app, silentLogger);
  return supertest(app);
}

it('a TextBody reaches the client unchanged, with its content type, status and headers', async () => {
  const list = route({
    method: 'GET',
    path: '/list',
    ...described,
    response: z.object({ rows: z.number() }),
    handle: () =>
      new Reply(new TextBody('text/csv; charset=utf-8', 'a,b\r\n1,"2"\r\n'), {
        status: 203,
        headers: { 'X-More': 'no' },
      }),
  });
  const response = await serve([list], plain).get('/list');
  expect(response.status).toBe(203);
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'x-more': 'no',
  });
  expect(response.text).toBe('a,b\r\n1,"2"\r\n');
});

it('a pipeline can replace how queries and bodies are read', async () => {
  const echo = route({
    method: 'POST',
    path: '/echo',
    status: 200,
    ...described,
    query: z.object({ word: z.string() }),
    body: z.object({ text: z.string() }),
    handle: ({ query, body }) => ({ query, body }),
  });
  const own: Pipeline<object> = {
    ...plain,
    readQuery: (_route, { query }) => ({ word: Object.keys(query).join(' ') }),
    readBody: async (_route, request) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return { text: Buffer.concat(chunks).toString() };
    },
  };
  const ask = (pipeline: Pipeline<object>) =>
    serve([echo], pipeline).post('/echo?x=1&y=2').type('text/plain').send('hello');
  const { status, body } = await ask(own);
  expect([status, body]).toEqual([200, { query: { word: 'x y' }, body: { text: 'hello' } }]);
  expect((await ask(plain)).status).toBe(400);
});
