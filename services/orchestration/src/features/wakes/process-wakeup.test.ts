import type { CommentView, WakeReason } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { processWakeup } from './process-wakeup';

describe('processWakeup', () => {
  const harness = useHarness();

  const mention = async (agent: { companyId: string; name: string }, issueId?: string) => {
    const id = issueId ?? (await harness.build.issue({ companyId: agent.companyId })).id;
    const body = `@${agent.name}`;
    const answer = await harness.api.post(`/api/issues/${id}/comments`).send({ body }).expect(201);
    return answer.body as CommentView;
  };
  const wakeupOf = (commentId: string) =>
    harness.db.agentWakeup.findFirstOrThrow({ where: { commentId } });
  const runsOf = (agentId: string) =>
    harness.db.heartbeatRun.findMany({ where: { agentId }, orderBy: { createdAt: 'asc' } });

  it('admits a wake once, even for eight concurrent hints', async () => {
    const agent = await harness.build.agent();
    const wakeup = await wakeupOf((await mention(agent)).id);
    await Promise.all(Array.from({ length: 8 }, () => processWakeup(harness.context, wakeup.id)));
    const runs = await runsOf(agent.id);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.wakeReasons).toHaveLength(1);
    expect(await wakeupOf(wakeup.commentId as string)).toMatchObject({
      status: 'admitted',
      runId: runs[0]?.id,
    });
  });

  it('merges wakes during a run into the next run', async () => {
    const agent = await harness.build.agent();
    const run = await harness.build.liveRun(agent);
    const first = await mention(agent);
    const second = await mention(agent);
    await harness.drain();
    const [running, next, ...more] = await runsOf(agent.id);
    expect(more).toEqual([]);
    expect(running).toMatchObject({ id: run.id, wakeReasons: [] });
    expect(next?.status).toBe('queued');
    const reasons = next?.wakeReasons as WakeReason[];
    expect(reasons.map((wake) => wake.commentId)).toEqual([first.id, second.id]);
  });

  it('skips a wake and records the reason if the agent was paused after the wake was stored', async () => {
    const agent = await harness.build.agent();
    const made = await mention(agent);
    await harness.db.agent.update({
      where: { id: agent.id },
      data: { status: 'paused', pauseReason: 'manual', pausedAt: new Date() },
    });
    await harness.drain();
    const reason = 'agent_paused_manual';
    expect(await wakeupOf(made.id)).toMatchObject({ status: 'skipped', skipReason: reason });
    expect(await runsOf(agent.id)).toEqual([]);
    const activity = await harness.api.get(
      `/api/companies/${agent.companyId}/activity?action=wakeup.skipped`,
    );
    expect(activity.body).toMatchObject([
      { entityId: agent.id, actorType: 'system', details: { reason, commentId: made.id } },
    ]);
  });

  it('starts no run for a wake that a pause has cancelled, even after the resume', async () => {
    const agent = await harness.build.agent();
    const made = await mention(agent);
    await harness.api.post(`/api/agents/${agent.id}/pause`).expect(200);
    await harness.api.post(`/api/agents/${agent.id}/resume`).expect(200);
    await processWakeup(harness.context, (await wakeupOf(made.id)).id);
    expect(await wakeupOf(made.id)).toMatchObject({
      status: 'skipped',
      skipReason: 'agent_paused',
    });
    expect(await runsOf(agent.id)).toEqual([]);
  });

  it('starts no run after the pause if the agent is paused while comments are written', async () => {
    for (let round = 0; round < 10; round++) {
      const agent = await harness.build.agent();
      const issue = await harness.build.issue({ companyId: agent.companyId });
      await Promise.all([
        ...Array.from({ length: 5 }, () => mention(agent, issue.id)),
        harness.api.post(`/api/agents/${agent.id}/pause`).expect(200),
        harness.drain(),
      ]);
      await harness.drain();
      const { pausedAt } = await harness.db.agent.findUniqueOrThrow({ where: { id: agent.id } });
      for (const run of await runsOf(agent.id)) {
        if (run.startedAt) expect(run.startedAt.getTime()).toBeLessThanOrEqual(Number(pausedAt));
        expect(run.status).not.toBe('queued');
      }
      expect(
        await harness.db.agentWakeup.count({ where: { agentId: agent.id, status: 'pending' } }),
      ).toBe(0);
    }
  });

  it('passes the agent process the ids of the comments that caused its wakes', async () => {
    const show = `const {SERVICE_WAKE_REASON, SERVICE_WAKE_COMMENT_IDS, SERVICE_ISSUE_ID} = process.env;
      console.log(JSON.stringify({SERVICE_WAKE_REASON, SERVICE_WAKE_COMMENT_IDS, SERVICE_ISSUE_ID}))`;
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', show] },
    });
    const first = await mention(agent);
    const second = await mention(agent);
    await harness.drain();
    const [run] = await runsOf(agent.id);
    const log = await harness.api.get(`/api/heartbeat-runs/${run?.id}/log`).expect(200);
    expect(JSON.parse(log.body.content)).toEqual({
      SERVICE_WAKE_REASON: 'mention',
      SERVICE_WAKE_COMMENT_IDS: `${first.id},${second.id}`,
      SERVICE_ISSUE_ID: first.issueId,
    });
  });
});
