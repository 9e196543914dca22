import type { RotatedTriggerView, RoutineRunView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';

const PER_HOUR = 3;

describe('a trigger that an agent created or rotated', () => {
  const harness = useHarness({ config: { selfWakesPerHour: PER_HOUR } });

  const agentWithRoutine = async () => {
    const agent = await harness.build.agent();
    const key = await harness.build.apiKey(agent.id);
    const routine = await harness.build.routine({
      companyId: agent.companyId,
      assigneeAgentId: agent.id,
      concurrencyPolicy: 'always_enqueue',
    });
    return { agent, key, routine };
  };
  const makeWebhook = async (routineId: string, key?: string) => {
    const post = harness.api.post(`/api/routines/${routineId}/triggers`);
    if (key) post.set('Authorization', key);
    return (await post.send({ kind: 'webhook' }).expect(201)).body as RotatedTriggerView;
  };
  const fire = async ({ publicId, secret }: RotatedTriggerView) => {
    const { body } = await harness.api
      .post(`/api/routine-triggers/public/${publicId}/fire`)
      .set('Authorization', `Bearer ${secret}`)
      .expect(202);
    return body as RoutineRunView;
  };
  const wakes = (agentId: string) => harness.db.agentWakeup.count({ where: { agentId } });

  it('wakes the agent at most as often as an hourly limit allows, and cancels further runs with self_wake_limit', async () => {
    const { agent, key, routine } = await agentWithRoutine();
    const runs: RoutineRunView[] = [];
    const trigger = await makeWebhook(routine.id, key);
    harness.scripted.on(agent.id, async () => {
      if (runs.length < 10) runs.push(await fire(trigger));
      return { status: 'succeeded', exitCode: 0 };
    });
    runs.push(await fire(trigger));
    await harness.drain();
    expect(runs.length).toBe(PER_HOUR + 1);
    expect(runs.at(-1)).toMatchObject({
      status: 'cancelled',
      failureReason: 'self_wake_limit',
      linkedIssueId: null,
    });
    expect(await wakes(agent.id)).toBe(PER_HOUR);
  });

  it('shares the limit with the agent’s other triggers, including deleted ones', async () => {
    const { agent, key, routine } = await agentWithRoutine();
    const first = await makeWebhook(routine.id, key);
    await fire(first);
    await harness.api
      .delete(`/api/routine-triggers/${first.id}`)
      .set('Authorization', key)
      .expect(204);
    const more = await Promise.all([1, 2, 3].map(() => makeWebhook(routine.id, key)));
    const fired = await Promise.all([...more, ...more].map(fire));
    const woken = fired.filter(({ status }) => status === 'issue_created');
    expect(woken).toHaveLength(PER_HOUR - 1);
    expect(await wakes(agent.id)).toBe(PER_HOUR);
    await harness.db.agentSelfWake.update({
      where: { agentId: agent.id },
      data: { since: new Date(Date.now() - 3_600_001) },
    });
    expect((await fire(more[0] as RotatedTriggerView)).status).toBe('issue_created');
  });

  it('keeps the hourly limit when the agent rotates the secret, but not when a person does', async () => {
    const { key, routine } = await agentWithRoutine();
    const trigger = await makeWebhook(routine.id);
    for (let at = 0; at < PER_HOUR + 2; at++) {
      expect((await fire(trigger)).status).toBe('issue_created');
    }
    const rotate = (authorization?: string) => {
      const post = harness.api.post(`/api/routine-triggers/${trigger.id}/rotate-secret`);
      return (authorization ? post.set('Authorization', authorization) : post).expect(200);
    };
    const known = (await rotate(key)).body as RotatedTriggerView;
    const statuses: string[] = [];
    for (let at = 0; at < PER_HOUR + 1; at++) statuses.push((await fire(known)).status);
    expect(statuses).toEqual([...Array(PER_HOUR).fill('issue_created'), 'cancelled']);
    const taken = (await rotate()).body as RotatedTriggerView;
    expect((await fire(taken)).status).toBe('issue_created');
  });

  it('has the hourly limit when its schedule fires, but not when a person fires it', async () => {
    const { agent, key, routine } = await agentWithRoutine();
    const { body: trigger } = await harness.api
      .post(`/api/routines/${routine.id}/triggers`)
      .set('Authorization', key)
      .send({ kind: 'schedule', cronExpression: '* * * * *' })
      .expect(201);
    for (let at = 0; at < PER_HOUR + 2; at++) {
      await harness.db.routineRun.create({
        data: {
          id: `0190f0f0-0000-7000-8000-00000000000${at}`,
          companyId: agent.companyId,
          routineId: routine.id,
          triggerId: trigger.id,
          source: 'schedule',
          scheduledFor: new Date(2026, 0, 1, 0, at),
        },
      });
    }
    await harness.drain();
    expect(await wakes(agent.id)).toBe(PER_HOUR);
    const { body } = await harness.api
      .post(`/api/routines/${routine.id}/run`)
      .send({ triggerId: trigger.id })
      .expect(202);
    expect(body.status).toBe('issue_created');
  });
});
