import { useHarness } from '../../../../test/harness';

describe('GET /api/companies/{companyId}/schedule-preview', () => {
  const harness = useHarness();
  const preview = async (query: Record<string, string>) => {
    const { id } = await harness.build.company();
    return harness.api.get(`/api/companies/${id}/schedule-preview`).query(query);
  };

  it('returns the schedule in words and its next firing times in its time zone', async () => {
    const cronExpression = '0 8 * * 1-5';
    const timezone = 'Europe/Berlin';
    const { status, body } = await preview({ cronExpression, timezone, count: '3' });
    expect({ status, ...body }).toMatchObject({
      status: 200,
      scheduleInWords: 'At 08:00, Monday through Friday (Europe/Berlin)',
      timezone,
    });
    expect(body.times).toHaveLength(3);
    for (const { at, local } of body.times) {
      expect(local).toMatch(/T08:00:00\.000\+0[12]:00$/);
      expect(new Date(local).toISOString()).toBe(at);
    }
  });

  it('returns ten firing times in UTC by default', async () => {
    const { body } = await preview({ cronExpression: '*/5 * * * *' });
    expect(body.timezone).toBe('UTC');
    expect(body.times).toHaveLength(10);
  });

  it('returns the same times as the preview of a trigger with the same schedule', async () => {
    const { build, api } = harness;
    const routine = await build.routine();
    const schedule = { cronExpression: '30 2 29 2 *', timezone: 'America/New_York' };
    const trigger = await build.trigger(routine.id, { kind: 'schedule', ...schedule });
    const path = `/api/routines/${routine.id}/triggers/${trigger.id}/preview?count=2`;
    const stored = (await api.get(path).expect(200)).body;
    const { body } = await preview({ ...schedule, count: '2' });
    expect(body).toMatchObject(stored);
  });

  it.each([
    ['cronExpression', {}],
    ['cronExpression', { cronExpression: '' }],
    ['cronExpression', { cronExpression: 'every day' }],
    ['cronExpression', { cronExpression: '0 0 30 2 *' }],
    ['cronExpression', { cronExpression: '* * * * * *' }],
    ['cronExpression', { cronExpression: '*'.repeat(201) }],
    ['timezone', { cronExpression: '0 8 * * *', timezone: 'Mars/Olympus' }],
    ['count', { cronExpression: '0 8 * * *', count: '101' }],
  ])('rejects an invalid %s with 400: %j', async (field, query) => {
    const { status, body } = await preview(query as Record<string, string>);
    expect(status).toBe(400);
    expect(body.details[0].path).toEqual([field]);
  });
});
