import { until } from '@switchyard/testing';
import type { RotatedTriggerView, RoutineRunView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { inTransaction, systemCall } from '../../../kernel/call';
import { lockRoutine } from '../../../state/routines/lock-routine';

const WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('concurrent firings', () => {
  const harness = useHarness();

  const webhook = async (concurrencyPolicy: 'coalesce_if_active' | 'always_enqueue') => {
    const routine = await harness.build.routine({ concurrencyPolicy });
    const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
    return { routine, trigger: trigger as RotatedTriggerView };
  };
  const fire = async ({ publicId, secret }: RotatedTriggerView): Promise<RoutineRunView> => {
    const response = await harness.api
      .post(`/api/routine-triggers/public/${publicId}/fire`)
      .set('Authorization', `Bearer ${secret}`)
      .send({})
      .expect(202);
    return response.body;
  };

  it('join the active run without waiting for a lock on the routine', async () => {
    const { routine, trigger } = await webhook('coalesce_if_active');
    const first = await fire(trigger);
    await inTransaction(systemCall(harness.context, routine.companyId), async (tx) => {
      await lockRoutine(tx, routine.id);
      const joined = await Promise.all([fire(trigger), fire(trigger), fire(trigger)]);
      for (const run of joined) {
        expect(run).toMatchObject({ status: 'coalesced', linkedIssueId: first.linkedIssueId });
      }
    });
  });

  it('wait while the assignee changes, and wake the new assignee', async () => {
    const { routine, trigger } = await webhook('always_enqueue');
    const other = await harness.build.agent({ companyId: routine.companyId });
    let fired: Promise<RoutineRunView> | undefined;
    await inTransaction(systemCall(harness.context, routine.companyId), async (tx) => {
      await lockRoutine(tx, routine.id);
      fired = fire(trigger);
      const { pool } = harness.context.db;
      await until('the firing to wait', async () => (await pool.query(WAITING)).rowCount);
      await tx.prisma.routine.update({
        where: { id: routine.id },
        data: { assigneeAgentId: other.id },
      });
    });
    const run = await fired;
    expect(run).toMatchObject({ status: 'issue_created' });
    const where = { id: run?.heartbeatRunId as string };
    expect(await harness.db.heartbeatRun.findUnique({ where })).toMatchObject({
      agentId: other.id,
      issueId: run?.linkedIssueId,
    });
  });

  it('start a single run of the agent, even if several routines fire', async () => {
    const one = await webhook('always_enqueue');
    const { companyId, assigneeAgentId } = one.routine;
    const routine = await harness.build.routine({ companyId, assigneeAgentId });
    const other = await harness.build.trigger(routine.id, { kind: 'webhook' });
    const triggers = [one.trigger, other as RotatedTriggerView];
    const fired = await Promise.all([...triggers, ...triggers, ...triggers].map(fire));
    const runs = await harness.db.heartbeatRun.findMany({ where: { agentId: assigneeAgentId } });
    expect(runs).toHaveLength(1);
    const woken = fired.filter(({ status }) => status === 'issue_created');
    expect(runs[0]?.wakeReasons).toHaveLength(woken.length);
    expect(new Set(woken.map(({ heartbeatRunId }) => heartbeatRunId))).toEqual(
      new Set([runs[0]?.id]),
    );
  });
});
