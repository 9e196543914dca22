import { lintDocument } from '@switchyard/testing';
import express from 'express';
import supertest from 'supertest';
import { type Harness, serveDocumented, startHarness } from '../../test/harness';
import { ROUTES } from '../routes/routes';
import { openApiDocument } from './openapi';

describe('the OpenAPI document', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  it('lists every endpoint with its response statuses', async () => {
    const { body } = await service.http.get('/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const listed = Object.entries(body.paths).flatMap(([path, own]) =>
      Object.entries(own as Record<string, { responses: object }>).map(
        ([method, { responses }]) => `${method} ${path} ${Object.keys(responses).sort().join(' ')}`,
      ),
    );
    expect(listed.sort()).toEqual([
      'get /dashboard 200 401 403 429 500',
      'get /dashboard/state 200 401 403 422 429 500',
      'get /fills 200 401 403 422 429 500',
      'get /funding-payments 200 401 403 422 429 500',
      'get /grids/status 200 401 403 422 429 500',
      'get /health 200 403 500',
      'get /livez 200',
      'get /metrics 200 401 403 429 500',
      'get /metrics/export 200 401 403 422 429 500',
      'get /metrics/history 200 401 403 422 429 500',
      'get /orders 200 401 403 404 409 422 429 500 503',
      'get /performance 200 401 403 422 429 500',
      'get /portfolio 200 401 403 422 429 500',
      'get /profit 200 401 403 422 429 500',
      'get /readyz 200 503',
      'get /reconciliation 200 401 403 422 429 500',
      'get /regime/current 200 401 403 404 422 429 500',
      'get /risk 200 401 403 404 422 429 500',
      'post /grids/create 201 400 401 403 409 413 415 422 429 500 503',
      'post /grids/{grid_id}/rebase 200 400 401 403 404 409 413 415 422 429 500',
      'post /grids/{grid_id}/rebuild 200 400 401 403 404 413 415 422 429 500',
      'post /grids/{grid_id}/stop 200 401 403 404 429 500',
      'post /metrics/collect 200 400 401 403 413 415 422 429 500',
      'post /reconciliation/accept 200 400 401 403 413 415 422 429 500',
      'post /regime/analyze 200 400 401 403 413 415 422 429 500',
    ]);
  });

  it('contains exactly the mounted routes and passes a linter', async () => {
    const { body } = await service.http.get('/openapi.json');
    const document = openApiDocument(ROUTES);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(await lintDocument(document)).toEqual([]);
    const planted = { ...document, paths: { '/planted': { get: { responses: {} } } } };
    expect(await lintDocument(planted)).toContainEqual(
      expect.stringContaining('operation-summary'),
    );
  });

  it('allows a validator to find responses that differ from their schema', async () => {
    const answers = { 200: { items: 1 }, 201: {}, 422: { detail: [] } };
    for (const [status, answer] of Object.entries(answers)) {
      const app = express();
      app.get('/regime/current', (_request, response) => {
        response.status(Number(status)).json(answer);
      });
      const { server, faults } = serveDocumented(app, ROUTES);
      await supertest(server).get('/regime/current');
      expect([...faults]).toHaveLength(status === '422' ? 0 : 1);
    }
  });

  it('describes the collection request as the specification does', async () => {
    const { body } = await service.http.get('/openapi.json');
    const { requestBody } = body.paths['/metrics/collect'].post;
    const { properties, required } = requestBody.content['application/json'].schema;
    expect(Object.keys(properties)).toEqual(['source', 'trigger_time', 'collection_id']);
    expect(properties.source).toMatchObject({ type: 'string', default: 'n8n_schedule' });
    expect([required ?? [], requestBody.required]).toEqual([[], false]);
  });

  it('has a page that loads only local files', async () => {
    const page = await service.http.get('/docs');
    expect(page.status).toBe(200);
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]);
    expect(files).toHaveLength(3);
    for (const file of files) expect((await service.http.get(file as string)).status).toBe(200);
  });
});
