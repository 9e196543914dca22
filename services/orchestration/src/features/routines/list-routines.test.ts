import type { ListedRoutineView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('a listed routine', () => {
  const harness = useHarness();
  const rowOf = async ({ companyId, id }: { companyId: string; id: string }) => {
    const { body } = await harness.api.get(`/api/companies/${companyId}/routines`).expect(200);
    return (body as ListedRoutineView[]).find((row) => row.id === id) as ListedRoutineView;
  };

  it('has no triggers and a null last run before its first trigger and run', async () => {
    const agent = await harness.build.agent();
    const { companyId } = agent;
    const routine = await harness.build.routine({ companyId, assigneeAgentId: agent.id });
    expect(await rowOf(routine)).toMatchObject({
      assigneeName: agent.name,
      triggerCount: 0,
      triggers: [],
      nextRunAt: null,
      lastRun: null,
      consecutiveFailures: 0,
    });
  });

  it('has at most five triggers, each with its schedule in words and its next firing time', async () => {
    const { build, db } = harness;
    const routine = await build.routine();
    const kind = 'schedule';
    const [berlin, utc] = [
      await build.trigger(routine.id, {
        kind,
        cronExpression: '0 8 * * 1-5',
        timezone: 'Europe/Berlin',
      }),
      await build.trigger(routine.id, { kind, cronExpression: '30 4 * * *', label: 'early' }),
    ];
    const webhook = await build.trigger(routine.id, { kind: 'webhook' });
    await db.routineTrigger.update({ where: { id: webhook.id }, data: { failureCount: 3 } });
    const row = await rowOf(routine);
    const times = [berlin, utc].map(({ nextRunAt }) => nextRunAt as string);
    expect(row).toMatchObject({
      triggerCount: 3,
      nextRunAt: times.sort()[0],
      consecutiveFailures: 3,
      triggers: [
        {
          id: berlin.id,
          kind,
          scheduleInWords: 'At 08:00, Monday through Friday (Europe/Berlin)',
          timezone: 'Europe/Berlin',
          nextRunAt: berlin.nextRunAt,
        },
        { id: utc.id, label: 'early', scheduleInWords: 'At 04:30 (UTC)' },
        { id: webhook.id, kind: 'webhook', scheduleInWords: null, nextRunAt: null },
      ],
    });
    expect(JSON.stringify(row)).not.toContain(webhook.secret);
    for (let more = 0; more < 4; more++) await build.trigger(routine.id, { kind: 'api' });
    const full = await rowOf(routine);
    expect([full.triggerCount, full.triggers.length]).toEqual([7, 5]);
  });

  it('has the outcome and the issue of its last run', async () => {
    const { api, build } = harness;
    const routine = await build.routine();
    const { body: first } = await api.post(`/api/routines/${routine.id}/run`).expect(202);
    const { body: run } = await api.post(`/api/routines/${routine.id}/run`).expect(202);
    expect((await rowOf(routine)).lastRun).toMatchObject({
      id: run.id,
      status: run.status,
      source: 'manual',
      triggeredAt: run.triggeredAt,
      issue: { id: first.linkedIssueId, title: routine.title, status: 'todo' },
    });
  });
});
