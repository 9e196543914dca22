import { createHash } from 'node:crypto';
import { type Harness, startHarness, startService } from '../../test/harness';
import { ExchangeFailure } from '../exchange/failure';

describe('the dashboard', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  it('loads nothing from other servers and allows only its own scripts', async () => {
    const answer = await service.http.get('/dashboard');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = answer.headers['content-security-policy'];
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe/);
    const scripts = [...answer.text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)];
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, text = ''] of scripts) {
      expect(policy).toContain(createHash('sha256').update(text).digest('base64'));
    }
    expect(answer.text).not.toMatch(/ on[a-z]+="| style="/);
    expect(answer.text).toContain('uPlot');
    expect(answer.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(answer.text).not.toMatch(/\/\* (styles|library|charts|glance|tables|grids|page) \*\//);
  });

  it('shows an empty state before the first collection', async () => {
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

  it('shows the last known values with their age while the exchange is unavailable', async () => {
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('unavailable', 'all', 'away'));
    const lost = await startService({
      url: service.database.url,
      context: {
        exchange: () => ({ ...exchange, tickers: away, balance: away, close: async () => {} }),
      },
    });
    const before = (await service.http.get('/dashboard/state')).body;
    const { body } = await lost.http.post('/metrics/collect').send({ collection_id: 'away' });
    expect(body.components.market_data.status).toBe('failed');
    const after = (await lost.http.get('/dashboard/state')).body;
    await lost.close();
    expect(after.collection.collection_id).toBe('away');
    expect([after.markets, after.balances]).toEqual([before.markets, before.balances]);
    expect(Date.parse(after.markets[0].captured_at)).toBeLessThan(
      Date.parse(after.collection.captured_at),
    );
  });
});
