import { createMetricsClient, unwrap } from '@switchyard/client';
import { clientTypes } from '@switchyard/testing';
import { type Harness, startHarness } from '../../test/harness';
import { ROUTES } from '../routes/routes';
import { openApiDocument } from './openapi';

describe('the client of the metrics service', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  it('matches the OpenAPI document', async () => {
    const { built, fresh } = await clientTypes('metrics', openApiDocument(ROUTES));
    expect(fresh).toBe(built);
  });

  it('sends queries that the service accepts', async () => {
    const client = createMetricsClient({ baseUrl: `http://127.0.0.1:${service.port}` });
    const query = { interval: '1h', agg: 'avg', kind: 'market', limit: 5, order: 'asc' } as const;
    const history = await unwrap(client.GET('/metrics/history', { params: { query } }));
    expect(history).toMatchObject({ items: [], pagination: { limit: 5, has_more: false } });
    const { error, response } = await client.GET('/regime/current', {});
    expect(response.status).toBe(404);
    expect(error).toEqual({ detail: expect.stringContaining('no regime is known') });
  });
});
