import { type Harness, startHarness } from '../../test/harness';

describe('the dashboard', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  it('is one page that loads nothing from elsewhere', async () => {
    const answer = await service.http.get('/dashboard');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(answer.text).toContain('uPlot');
    expect(answer.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(answer.text).not.toMatch(/\/\* (styles|scripts) \*\//);
  });

  it('knows that nothing was collected yet', async () => {
    const { body } = await service.http.get('/dashboard/state');
    expect(body).toMatchObject({ collection: null, markets: [], grids: [], simulated: true });
  });

  it('shows the newest collection, its components and its age', async () => {
    await service.http.post('/metrics/collect').send({ collection_id: 'shown' });
    const { body } = await service.http.get('/dashboard/state');
    expect(body.collection).toMatchObject({ collection_id: 'shown', stale: false });
    expect(body.collection.age_seconds).toBeLessThan(10);
    expect(body.components.market_data.status).toBe('ok');
    expect([body.balances, body.markets, body.regimes].map((list) => list.length)).toEqual([
      5, 3, 3,
    ]);
  });
});
