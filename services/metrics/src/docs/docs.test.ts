import { type Harness, startHarness } from '../../test/harness';

describe('the interface document', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  it('has every endpoint with its answers', async () => {
    const { body } = await service.http.get('/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const listed = Object.entries(body.paths).flatMap(([path, own]) =>
      Object.entries(own as Record<string, { responses: object }>).map(
        ([method, { responses }]) => `${method} ${path} ${Object.keys(responses).sort().join(' ')}`,
      ),
    );
    expect(listed.sort()).toEqual([
      'get /dashboard 200',
      'get /dashboard/state 200',
      'get /grids/status 200 422',
      'get /health 200 500',
      'get /metrics 200',
      'get /metrics/history 200 422',
      'get /regime/current 200 404 422',
      'post /grids/create 201 422',
      'post /metrics/collect 200 422 500',
      'post /regime/analyze 200 422',
    ]);
  });

  it('describes the request of a collection as the specification does', async () => {
    const { body } = await service.http.get('/openapi.json');
    const { requestBody } = body.paths['/metrics/collect'].post;
    const { properties, required } = requestBody.content['application/json'].schema;
    expect(Object.keys(properties)).toEqual(['source', 'trigger_time', 'collection_id']);
    expect(properties.source).toMatchObject({ type: 'string', default: 'n8n_schedule' });
    expect([required ?? [], requestBody.required]).toEqual([[], false]);
  });

  it('is shown by a page of local files', async () => {
    const page = await service.http.get('/docs');
    expect(page.status).toBe(200);
    const files =
      page.text.match(/(?:src|href)="([^"]+)"/g)?.map((text) => text.split('"')[1]) ?? [];
    expect(files).toHaveLength(3);
    for (const file of files) expect((await service.http.get(file as string)).status).toBe(200);
  });
});
