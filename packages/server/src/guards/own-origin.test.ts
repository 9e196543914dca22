import express from 'express';
import supertest from 'supertest';
import { finishApplication } from '../http/mount';
import { silentLogger } from '../logging/logger';
import { ownPagesOnly } from './own-origin';

const PUBLIC_URL = 'http://board.internal:3100';

describe('ownPagesOnly', () => {
  const app = express();
  app.use(ownPagesOnly([PUBLIC_URL]));
  app.all('/', (_request, response) => {
    response.send('done');
  });
  finishApplication(app, silentLogger);

  const HOST = '127.0.0.1:3100';
  const write = (headers: Record<string, string>) =>
    supertest(app)
      .post('/')
      .set({ host: HOST, ...headers });

  it.each([
    ['http://127.0.0.1:3100', HOST],
    ['http://localhost:3100', HOST],
    ['http://[::1]:3100', 'localhost:3100'],
    ['http://localhost', 'localhost'],
    [PUBLIC_URL, 'board.internal:3100'],
    [PUBLIC_URL, HOST],
  ])('allows a page of %s to write to %s', async (origin, host) => {
    await write({ origin, host, 'sec-fetch-site': 'same-origin' }).expect(200);
    await write({ origin, host }).expect(200);
  });

  it('allows a program without browser headers to write', async () => {
    await write({}).expect(200);
    await write({ 'sec-fetch-site': 'none' }).expect(200);
  });

  it.each([
    'http://localhost:5173',
    'http://127.0.0.1:3101',
    'http://127.0.0.1',
    'https://localhost:3100',
    'http://localhost:3100@example.com',
    'http://localhost:3100.example.com',
    'http://board.internal',
    'https://board.internal:3100',
    'http://evil.example.com:3100',
    'null',
    'file://',
    '',
    'not an origin',
  ])('refuses a write from a page of "%s"', async (origin) => {
    const refused = await write({ origin });
    expect({ status: refused.status, body: refused.body }).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    await write({ origin, 'sec-fetch-site': 'same-origin' }).expect(403);
    await supertest(app).delete('/').set({ host: HOST, origin }).expect(403);
  });

  it.each(['cross-site', 'same-site', 'something'])(
    'refuses a write with Sec-Fetch-Site: %s, with or without an Origin',
    async (site) => {
      await write({ 'sec-fetch-site': site }).expect(403);
      await write({ 'sec-fetch-site': site, origin: `http://${HOST}` }).expect(403);
    },
  );

  it('refuses a write from a page at a host name that only programs may use', async () => {
    await write({ host: 'api:3100', origin: 'http://api:3100' }).expect(403);
  });

  it('allows reads from every origin, but sends no CORS headers', async () => {
    const headers = { origin: 'https://example.com', 'sec-fetch-site': 'cross-site' };
    const answer = await supertest(app).get('/').set(headers).expect(200);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    await supertest(app).head('/').set(headers).expect(200);
  });
});
