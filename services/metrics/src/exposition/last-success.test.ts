import { type Harness, startHarness, startService } from '../../test/harness';
import { ExchangeFailure } from '../exchange/failure';

describe('marketmetrics_last_success_timestamp_seconds', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  const successes = async ({ http }: Pick<Harness, 'http'>) => {
    const { text } = await http.get('/metrics');
    const found = text.matchAll(/last_success_timestamp_seconds\{kind="(\w+)"\} ([\d.e+]+)/g);
    return Object.fromEntries([...found].map(([, kind, at]) => [kind, Number(at)]));
  };

  it('contains 0 after a restart for a kind that never succeeded', async () => {
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('auth', 'all', 'a bad key'));
    const context = { exchange: () => ({ ...exchange, balance: away, close: async () => {} }) };
    const sick = await startService({ url: service.database.url, context });
    expect(await successes(sick)).toEqual({});
    await sick.http.post('/metrics/collect').send({});
    await sick.close();
    const restarted = await startService({ url: service.database.url, context });
    const found = await successes(restarted);
    await restarted.close();
    expect(found).toMatchObject({
      balance: 0,
      market: expect.any(Number),
      regime: expect.any(Number),
    });
    expect(found.market).toBeGreaterThan(1e9);
  });

  it('keeps the time of the last success after later failures', async () => {
    await service.http.post('/metrics/collect').send({});
    const before = await successes(service);
    expect(before.balance).toBeGreaterThan(1e9);
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('unavailable', 'all', 'away'));
    const context = { exchange: () => ({ ...exchange, balance: away, close: async () => {} }) };
    const sick = await startService({ url: service.database.url, context });
    await sick.http.post('/metrics/collect').send({});
    const after = await successes(sick);
    await sick.close();
    expect(after.balance).toBe(before.balance);
    expect(after.market).toBeGreaterThan(before.market as number);
  });
});
