import { clockAt, type Harness, startHarness } from '../../../test/harness';

describe('GET /performance', () => {
  const clock = clockAt('2026-03-02T23:00:00.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
  });
  afterAll(() => service.close());

  const performance = async (query = '') => service.http.get(`/performance${query}`);

  it('returns null before the first balance', async () => {
    const { body } = await performance();
    expect(body).toMatchObject({ days: 0, start: null, total_return: null, hold_return: null });
  });

  it('returns a total return equal to the hold return if there were no trades', async () => {
    for (let day = 0; day < 4; day++) {
      await service.http.post('/metrics/collect').send({}).expect(200);
      clock.forward(86_400_000);
    }
    clock.set('2026-03-05T23:00:00.000Z');
    const { status, body } = await performance('?days=30');
    expect(status).toBe(200);
    expect(body).toMatchObject({ exchange: 'simulated', simulated: true, unknown_days: 0 });
    expect(body.days).toBe(3);
    expect(body.total_return).not.toBe(0);
    expect(body.total_return).toBeCloseTo(body.hold_return, 9);
    expect(body.volatility).toBeGreaterThan(0);
  });

  it.each(['?days=0', '?days=x', '?other=1'])('rejects %s with 422', async (query) => {
    expect((await performance(query)).status).toBe(422);
  });
});
