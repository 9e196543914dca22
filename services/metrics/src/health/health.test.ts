import type { Server } from 'node:http';
import { silentLogger } from '@switchyard/server';
import { type ClonedDatabase, cloneDatabase, databaseUrl } from '@switchyard/testing';
import supertest from 'supertest';
import { createApplication } from '../app';
import { readConfig } from '../config';
import { type Context, createContext } from '../context';

describe('GET /health', () => {
  let database: ClonedDatabase;
  const open: { context: Context; server: Server }[] = [];

  const start = (url: string) => {
    const context = createContext(readConfig({ DATABASE_URL: url }), { logger: silentLogger });
    const server = createApplication(context).listen(0, '127.0.0.1');
    open.push({ context, server });
    return supertest(server);
  };

  beforeAll(async () => {
    database = await cloneDatabase('metrics');
  });
  afterAll(async () => {
    for (const { context, server } of open) {
      await new Promise((resolve) => server.close(resolve));
      await context.close();
    }
    await database.drop();
  });

  it('answers ok with a time in milliseconds and a correlation id', async () => {
    const answer = await start(database.url).get('/health').set('X-Correlation-ID', 'abc-1');
    expect(answer.status).toBe(200);
    expect(answer.body.status).toBe('ok');
    expect(answer.body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.headers['x-correlation-id']).toBe('abc-1');
  });

  it('answers 500 while the database cannot be reached', async () => {
    const answer = await start(databaseUrl('a_database_that_is_not_there')).get('/health');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      status: 'error',
      components: { database: { status: 'unavailable' } },
    });
  });

  it('answers unknown paths as JSON', async () => {
    const answer = await start(database.url).get('/nothing');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'not_found' });
  });
});
