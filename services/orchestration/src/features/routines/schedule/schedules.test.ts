import { until } from '@switchyard/testing';
import type { RoutineRunView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { rehint } from '../../../state/rehint';
import { fireScheduled } from '../firing/fire-scheduled';

import { claimDue } from './claim-due';
import { claimPlanned } from './claim-planned';

const MINUTELY = { kind: 'schedule', cronExpression: '* * * * *' } as const;

describe('schedules', () => {
  const harness = useHarness();

  const sql = (text: string, values: unknown[] = []) => harness.context.db.pool.query(text, values);
  const runsOf = async (routineId: string) =>
    (await harness.api.get(`/api/routines/${routineId}/runs`).expect(200)).body as RoutineRunView[];
  const triggerOf = async (routineId: string) =>
    (await harness.api.get(`/api/routines/${routineId}`).expect(200)).body.triggers[0];
  const makeDue = (triggerId: string, when: string) =>
    sql(`UPDATE routine_trigger SET next_run_at = ${when} WHERE id = $1`, [triggerId]);

  it('create one run when they are due, set the next due time, and fire the run only once', async () => {
    const routine = await harness.build.routine();
    const trigger = await harness.build.trigger(routine.id, MINUTELY);
    await makeDue(trigger.id, "date_trunc('minute', now())");
    await claimDue(harness.context);
    const [put] = await runsOf(routine.id);
    expect(put).toMatchObject({ source: 'schedule', status: 'pending', triggerId: trigger.id });
    expect(put?.scheduledFor).toMatch(/:00\.000Z$/);
    await fireScheduled(harness.context, put?.id as string);
    await fireScheduled(harness.context, put?.id as string);
    const [fired, ...more] = await runsOf(routine.id);
    expect(more).toEqual([]);
    expect(fired).toMatchObject({ status: 'issue_created', scheduledFor: put?.scheduledFor });
    const after = await triggerOf(routine.id);
    expect(after.lastFiredAt).not.toBeNull();
    expect(Date.parse(after.nextRunAt)).toBeGreaterThan(Date.now());
  });

  it.each([
    ['skip_missed', 1],
    ['enqueue_missed_with_cap', 25],
  ] as const)(
    'with the policy %s, fire %i runs of a minutely schedule after an outage of three days',
    async (catchUpPolicy, count) => {
      const concurrencyPolicy = 'always_enqueue';
      const routine = await harness.build.routine({ catchUpPolicy, concurrencyPolicy });
      const trigger = await harness.build.trigger(routine.id, MINUTELY);
      await makeDue(trigger.id, "date_trunc('minute', now()) - interval '3 days'");
      await claimDue(harness.context);
      await claimDue(harness.context);
      await harness.drain();
      const times = (await runsOf(routine.id)).map((one) => one.scheduledFor).sort();
      expect(times).toHaveLength(count);
      expect(new Set(times).size).toBe(count);
      expect(await harness.db.issue.count({ where: { companyId: routine.companyId } })).toBe(count);
    },
  );

  it.each(['routine', 'company'])('skip due times while the %s is paused', async (what) => {
    const routine = await harness.build.routine({ catchUpPolicy: 'enqueue_missed_with_cap' });
    const trigger = await harness.build.trigger(routine.id, MINUTELY);
    const path =
      what === 'routine' ? `/api/routines/${routine.id}` : `/api/companies/${routine.companyId}`;
    await harness.api.patch(path).send({ status: 'paused' }).expect(200);
    if (what === 'company') await makeDue(trigger.id, "now() - interval '1 hour'");
    await claimDue(harness.context);
    await harness.api.patch(path).send({ status: 'active' }).expect(200);
    await claimDue(harness.context);
    expect(await runsOf(routine.id)).toEqual([]);
    expect(Date.parse((await triggerOf(routine.id)).nextRunAt)).toBeGreaterThan(Date.now());
  });

  it('cancel a claimed run if the routine is paused before the run fires', async () => {
    const routine = await harness.build.routine();
    const trigger = await harness.build.trigger(routine.id, MINUTELY);
    await makeDue(trigger.id, "date_trunc('minute', now())");
    await claimDue(harness.context);
    await harness.api.patch(`/api/routines/${routine.id}`).send({ status: 'paused' }).expect(200);
    await harness.drain();
    expect(await runsOf(routine.id)).toMatchObject([
      { status: 'cancelled', failureReason: 'routine_paused', linkedIssueId: null },
    ]);
  });

  it('stop after five failures of an invalid expression, while other schedules continue', async () => {
    const broken = await harness.build.routine();
    const bad = await harness.build.trigger(broken.id, MINUTELY);
    await sql(`UPDATE routine_trigger SET cron_expression = 'broken' WHERE id = $1`, [bad.id]);
    const routine = await harness.build.routine();
    const good = await harness.build.trigger(routine.id, MINUTELY);
    for (const { id } of [bad, good]) await makeDue(id, "date_trunc('minute', now())");
    await claimDue(harness.context);
    expect(await runsOf(routine.id)).toHaveLength(1);
    for (let count = 1; count < 5; count++) await claimDue(harness.context);
    expect(await triggerOf(broken.id)).toMatchObject({ failureCount: 5, nextRunAt: null });
    expect((await triggerOf(broken.id)).failureReason).toContain('five fields');
    const mended = { cronExpression: '0 9 * * *' };
    const { body } = await harness.api
      .patch(`/api/routine-triggers/${bad.id}`)
      .send(mended)
      .expect(200);
    expect(body).toMatchObject({ failureCount: 0, failureReason: null });
    expect(body.nextRunAt).not.toBeNull();
  });

  it('requeue each routine run that has not started, so that an emptied queue loses no run', async () => {
    const routine = await harness.build.routine();
    const trigger = await harness.build.trigger(routine.id, MINUTELY);
    await makeDue(trigger.id, "date_trunc('minute', now())");
    await claimDue(harness.context);
    expect(await rehint(harness.context, 'routine-firings')).toBe(0);
    await sql(`UPDATE routine_run SET hinted_at = now() - interval '3 seconds'`);
    expect(await rehint(harness.context, 'routine-firings')).toBeGreaterThan(0);
    expect(await rehint(harness.context, 'routine-firings')).toBe(0);
  });

  it('fire even if the claim of another schedule fails', async () => {
    const routine = await harness.build.routine();
    const triggers = await Promise.all(
      Array.from({ length: 5 }, () => harness.build.trigger(routine.id, MINUTELY)),
    );
    const bad = triggers[2] as { id: string };
    await harness.asOwner(`CREATE FUNCTION refuse_it() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'refused by the test'; END $$`);
    await harness.asOwner(`CREATE TRIGGER refuse_it BEFORE INSERT ON routine_run FOR EACH ROW
      WHEN (NEW.trigger_id = '${bad.id}') EXECUTE FUNCTION refuse_it()`);
    try {
      for (const { id } of triggers) await makeDue(id, "date_trunc('minute', now())");
      // PostgreSQL reports a failure before it releases the rows, so a row may still be locked now.
      await until('the four others', async () => {
        await claimDue(harness.context);
        return (await runsOf(routine.id)).length >= 4;
      });
      expect(await runsOf(routine.id)).toHaveLength(4);
    } finally {
      await harness.asOwner('DROP TRIGGER refuse_it ON routine_run');
    }
    await claimDue(harness.context);
    const claimed = (await runsOf(routine.id)).map((run) => run.triggerId);
    expect([...claimed].sort()).toEqual(triggers.map(({ id }) => id).sort());
  });

  it('claim each due time only once, without waiting for a locked trigger', async () => {
    const routine = await harness.build.routine();
    const make = () => harness.build.trigger(routine.id, MINUTELY);
    const [moved, locked] = [await make(), await make()];
    const dueAt = new Date(Math.floor(Date.now() / 60_000) * 60_000);
    for (const { id } of [moved, locked]) await makeDue(id, `'${dueAt.toISOString()}'`);
    const planned = [moved, locked].map(({ id }) => ({
      triggerId: id,
      dueAt,
      nextRunAt: new Date(dueAt.getTime() + 60_000),
      times: [dueAt],
    }));
    const holder = await harness.context.db.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM routine_trigger WHERE id = $1 FOR UPDATE', [locked.id]);
      expect(await claimPlanned(harness.context, planned)).toMatchObject({ moved: 1 });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await claimPlanned(harness.context, planned)).toMatchObject({ moved: 1 });
    expect(await claimPlanned(harness.context, planned)).toEqual({ moved: 0, runIds: [] });
    expect(await runsOf(routine.id)).toHaveLength(2);
  });
});
