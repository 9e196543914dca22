import { clockAt, type Harness, startHarness, startService } from '../../../test/harness';
import { collectOnSchedule } from './collect-on-schedule';

describe('METRICS_COLLECT_EVERY_SEC', () => {
  const clock = clockAt('2026-03-02T10:00:00.000Z');
  const env = { METRICS_COLLECT_EVERY_SEC: '300' };
  let service: Harness;
  beforeEach(async () => {
    clock.set('2026-03-02T10:00:00.000Z');
    service = await startHarness({ env, context: { clock } });
  });
  afterEach(() => service.close());

  const sources = async () => {
    const rows = await service.rows<{ source: string }>(
      'SELECT source FROM collection ORDER BY id',
    );
    return rows.map(({ source }) => source);
  };

  it('collects once per interval if no caller collects', async () => {
    for (let second = 0; second < 900; second += 100) {
      await collectOnSchedule(service.context);
      clock.forward(100_000);
    }
    expect(await sources()).toEqual(['own_schedule', 'own_schedule', 'own_schedule']);
  });

  it('does not collect if callers collect often enough', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await service.http.post('/metrics/collect').send({}).expect(200);
      clock.forward(290_000);
      await collectOnSchedule(service.context);
    }
    expect(await sources()).toEqual(['n8n_schedule', 'n8n_schedule', 'n8n_schedule']);
  });

  it('collects once per interval even if two processes are running', async () => {
    const other = await startService({ url: service.database.url, env, context: { clock } });
    await Promise.all([service, other].map(({ context }) => collectOnSchedule(context)));
    await other.close();
    expect(await sources()).toEqual(['own_schedule']);
  });

  it('does not collect by default', async () => {
    const other = await startService({ url: service.database.url, context: { clock } });
    await collectOnSchedule(other.context);
    await other.close();
    expect(await sources()).toEqual([]);
  });
});
