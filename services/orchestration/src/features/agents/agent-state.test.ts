import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('pause, resume and terminate', () => {
  const harness = useHarness();
  const post = (id: string, verb: string) => harness.api.post(`/api/agents/${id}/${verb}`);

  it('pause cancels waiting runs, ends running runs and blocks new runs', async () => {
    const { build, db, drain } = harness;
    const { agent, id: liveId } = await build.liveRun();
    const waiting = await build.queuedRun(agent.id);
    const { body } = await post(agent.id, 'pause').expect(200);
    expect(body).toMatchObject({
      status: 'paused',
      pauseReason: 'manual',
      pausedAt: expect.stringMatching(/Z$/),
      chainOfCommand: [],
    });
    expect(await db.heartbeatRun.findUniqueOrThrow({ where: { id: waiting.id } })).toMatchObject({
      status: 'cancelled',
      errorCode: 'agent_paused',
    });
    expect(await db.heartbeatRun.findUniqueOrThrow({ where: { id: liveId } })).toMatchObject({
      status: 'running',
      cancelReason: 'agent_paused',
    });
    const refused = await harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`).expect(409);
    expect(refused.body).toMatchObject({
      code: 'not_invokable',
      details: { reason: 'agent_paused_manual' },
    });
    await build.endLiveRun(liveId);
    await post(agent.id, 'resume').expect(200);
    await drain();
    expect(await db.heartbeatRun.count({ where: { agentId: agent.id, status: 'succeeded' } })).toBe(
      1,
    );
  });

  it('a second pause or resume changes nothing', async () => {
    const agent = await harness.build.agent();
    const { body: paused } = await post(agent.id, 'pause').expect(200);
    let before = await everything(harness);
    expect((await post(agent.id, 'pause').expect(200)).body).toEqual(paused);
    expect(await everything(harness)).toEqual(before);
    const { body: resumed } = await post(agent.id, 'resume').expect(200);
    expect(resumed).toMatchObject({ status: 'idle', pauseReason: null, pausedAt: null });
    before = await everything(harness);
    expect((await post(agent.id, 'resume').expect(200)).body).toEqual(resumed);
    expect(await everything(harness)).toEqual(before);
  });

  it('resume clears an error, and sets the status to `running` if a run is still running', async () => {
    const { build, db } = harness;
    const failed = await build.agent();
    await db.agent.update({
      where: { id: failed.id },
      data: { status: 'error', errorReason: 'x' },
    });
    expect((await post(failed.id, 'resume').expect(200)).body.status).toBe('idle');
    const { agent } = await build.liveRun();
    await post(agent.id, 'pause').expect(200);
    expect((await post(agent.id, 'resume').expect(200)).body.status).toBe('running');
  });

  it('pause and resume return 409 for a draft that waits for approval', async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    await db.agent.update({ where: { id: agent.id }, data: { status: 'pending_approval' } });
    for (const verb of ['pause', 'resume']) {
      const { body } = await post(agent.id, verb).expect(409);
      expect(body).toMatchObject({ code: 'conflict', details: { status: 'pending_approval' } });
    }
  });

  it('terminate is final: it ends runs, deletes keys and frees the agent’s issues', async () => {
    const { api, build, db } = harness;
    const run = await build.liveRun();
    const { agent } = run;
    const { companyId } = agent;
    const key = await build.apiKey(agent.id);
    const waiting = await build.queuedRun(agent.id);
    const held = await build.issue({ companyId, status: 'todo' });
    const planned = await build.issue({ companyId, assigneeAgentId: agent.id });
    const done = await build.issue({ companyId, status: 'done', assigneeAgentId: agent.id });
    await api
      .post(`/api/issues/${held.id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId: agent.id, expectedStatuses: ['todo'] })
      .expect(200);

    expect((await post(agent.id, 'terminate').expect(200)).body.status).toBe('terminated');
    for (const credential of [key, run.authorization]) {
      await api.get('/api/agents/me').set('Authorization', credential).expect(401);
    }
    expect(await db.agentKey.count({ where: { agentId: agent.id } })).toBe(0);
    expect(await db.heartbeatRun.findUniqueOrThrow({ where: { id: waiting.id } })).toMatchObject({
      status: 'cancelled',
      errorCode: 'agent_terminated',
    });
    const freed = await api.get(`/api/issues/${held.id}`).expect(200);
    expect(freed.body).toMatchObject({
      status: 'todo',
      assigneeAgentId: null,
      checkoutRunId: null,
    });
    const open = await api.get(`/api/issues/${planned.id}`).expect(200);
    expect(open.body).toMatchObject({ status: 'backlog', assigneeAgentId: null });
    const closed = await api.get(`/api/issues/${done.id}`).expect(200);
    expect(closed.body.assigneeAgentId).toBe(agent.id);

    const before = await everything(harness);
    await post(agent.id, 'terminate').expect(200);
    for (const verb of ['pause', 'resume', 'heartbeat/invoke', 'keys']) {
      await post(agent.id, verb).expect(409);
    }
    expect(await everything(harness)).toEqual(before);
  });
});
