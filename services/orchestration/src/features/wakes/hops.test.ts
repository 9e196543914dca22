import type { CommentView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { SUCCEEDED } from '../../../test/scripted-adapter';
import { NO_WAKE } from '../../state/wakeups/foresee-wake';

describe('the hop count of wakes', () => {
  const harness = useHarness();

  const comment = async (issueId: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await harness.api
      .post(`/api/issues/${issueId}/comments`)
      .set(headers)
      .send({ body });
    expect(answer.status).toBe(201);
    return answer.body as CommentView;
  };
  const pair = async () => {
    const { id: companyId } = await harness.build.company();
    const [ada, bob] = [
      await harness.build.agent({ companyId, name: 'Ada' }),
      await harness.build.agent({ companyId, name: 'Bob' }),
    ];
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    return { companyId, ada, bob, issue };
  };
  const hopsOf = async (commentId: string) =>
    (await harness.db.agentWakeup.findMany({ where: { commentId } })).map((row) => row.hops);
  const bearer = (authorization: string) => ({ Authorization: authorization });

  it('stops two agents that always mention each other, and starts from 0 again when a person mentions an agent', async () => {
    const { companyId, ada, bob, issue } = await pair();
    for (const [me, other] of [
      [ada, 'Bob'],
      [bob, 'Ada'],
    ] as const) {
      harness.scripted.on(me.id, async ({ environment }) => {
        await comment(
          issue.id,
          `@${other} your turn`,
          bearer(`Bearer ${environment.SERVICE_API_KEY}`),
        );
        return SUCCEEDED;
      });
    }
    const cap = harness.config.mentionHopCap;
    expect(cap).toBe(8);
    for (const round of [1, 2]) {
      await comment(issue.id, '@ada begin');
      await harness.drain();
      const runs = await harness.db.heartbeatRun.findMany({
        where: { companyId },
        orderBy: { createdAt: 'asc' },
      });
      expect(runs).toHaveLength(round * (cap + 1));
      const latest = runs.slice(-(cap + 1));
      expect(latest.map((run) => run.hops)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }
    const last = (await harness.api.get(`/api/issues/${issue.id}/comments?limit=1`)).body[0];
    const skipped = { agentId: bob.id, name: 'Bob', outcome: 'skipped', reason: 'hop_limit' };
    expect(last.mentions).toEqual([{ ...skipped, ...NO_WAKE }]);
    expect(await hopsOf(last.id)).toEqual([]);
    const activity = await harness.api.get(
      `/api/companies/${companyId}/activity?action=wakeup.suppressed`,
    );
    expect(activity.body).toHaveLength(2);
    expect(activity.body[0]).toMatchObject({
      actorType: 'agent',
      actorId: ada.id,
      entityType: 'issue',
      entityId: issue.id,
      details: { reason: 'hop_limit', hops: cap + 1, agentIds: [bob.id], commentId: last.id },
    });
  });

  it('continues from the agent’s latest run in the past hour if the call uses an API key', async () => {
    const { ada, issue } = await pair();
    const key = bearer(await harness.build.apiKey(ada.id));
    expect(await hopsOf((await comment(issue.id, '@bob', key)).id)).toEqual([1]);
    const run = await harness.build.liveRun(ada);
    await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { hops: 5 } });
    expect(await hopsOf((await comment(issue.id, '@bob', key)).id)).toEqual([6]);
    const named = { ...key, 'X-Service-Run-Id': run.id };
    expect(await hopsOf((await comment(issue.id, '@bob', named)).id)).toEqual([6]);
    const board = await comment(issue.id, '@bob', { 'X-Service-Run-Id': run.id });
    expect(await hopsOf(board.id)).toEqual([0]);
    await harness.db.$executeRaw`
      UPDATE heartbeat_run SET started_at = now() - interval '61 minutes' WHERE id = ${run.id}::uuid`;
    expect(await hopsOf((await comment(issue.id, '@bob', key)).id)).toEqual([1]);
  });

  it('equals the highest hop count among a run’s wakes, or 0 if a person caused one of the wakes', async () => {
    const { ada, bob, issue } = await pair();
    await harness.build.liveRun(bob);
    const run = await harness.build.liveRun(ada);
    const sayIn = async (hops: number) => {
      await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { hops } });
      await comment(issue.id, '@bob', bearer(run.authorization));
      await harness.drain();
    };
    const waiting = () =>
      harness.db.heartbeatRun.findFirstOrThrow({ where: { agentId: bob.id, status: 'queued' } });
    await sayIn(3);
    expect(await waiting()).toMatchObject({ hops: 4 });
    await sayIn(1);
    expect(await waiting()).toMatchObject({ hops: 4 });
    await sayIn(5);
    expect(await waiting()).toMatchObject({ hops: 6 });
    await comment(issue.id, '@bob');
    await harness.drain();
    const joined = await waiting();
    expect(joined.hops).toBe(0);
    expect(joined.wakeReasons).toHaveLength(4);
  });
});
