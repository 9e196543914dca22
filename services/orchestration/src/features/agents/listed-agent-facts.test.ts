import { newId } from '@switchyard/db';
import type { ListedAgentView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('an agent in the list of agents', () => {
  const harness = useHarness();
  const rowOf = async ({ companyId, id }: { companyId: string; id: string }) => {
    const { body } = await harness.api.get(`/api/companies/${companyId}/agents`).expect(200);
    return (body as ListedAgentView[]).find((row) => row.id === id) as ListedAgentView;
  };

  it('has null for all run fields before its first run', async () => {
    const agent = await harness.build.agent();
    expect(await rowOf(agent)).toMatchObject({
      errorReason: null,
      statusSince: null,
      consecutiveFailures: 0,
      currentRun: null,
      lastRun: null,
    });
  });

  it('has the reason and the time of its error until the agent is resumed', async () => {
    const { api, build, db } = harness;
    const agent = await build.agent();
    const { id: agentId, companyId } = agent;
    const finishedAt = new Date('2026-03-04T05:06:07.890Z');
    const ended = {
      status: 'failed',
      startedAt: finishedAt,
      finishedAt,
      errorCode: 'adapter_exit',
    };
    const run = { id: newId(), companyId, agentId, source: 'manual', ...ended };
    await db.heartbeatRun.create({ data: run });
    const error = { status: 'error', errorReason: 'exit code 3', consecutiveFailures: 2 };
    await db.agent.update({ where: { id: agentId }, data: error });
    expect(await rowOf(agent)).toMatchObject({
      errorReason: 'exit code 3',
      statusSince: finishedAt.toISOString(),
      consecutiveFailures: 2,
      lastRun: {
        id: run.id,
        status: 'failed',
        finishedAt: finishedAt.toISOString(),
        errorCode: 'adapter_exit',
      },
    });
    await api.post(`/api/agents/${agentId}/resume`).expect(200);
    expect(await rowOf(agent)).toMatchObject({ errorReason: null, statusSince: null });
  });

  it('has the current run with its issue', async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const issue = await build.issue({ companyId });
    const { id } = await build.liveRun(agent);
    await db.heartbeatRun.update({ where: { id }, data: { issueId: issue.id } });
    const { identifier, title, status } = issue;
    expect((await rowOf(agent)).currentRun).toEqual({
      id,
      startedAt: expect.stringMatching(/Z$/),
      issue: { id: issue.id, identifier, title, status },
    });
  });

  it('has the last ended run, whatever its status', async () => {
    const { build, db } = harness;
    const agent = await build.agent();
    const { id: agentId, companyId } = agent;
    const of = { companyId, agentId, source: 'manual' };
    for (const [at, status] of ['succeeded', 'timed_out', 'cancelled', 'failed'].entries()) {
      const createdAt = new Date(Date.UTC(2026, 0, 1 + at));
      const run = { id: newId(), ...of, status, createdAt, finishedAt: createdAt };
      await db.heartbeatRun.create({ data: run });
      expect((await rowOf(agent)).lastRun).toMatchObject({ id: run.id, status });
    }
  });

  it('has the time at which it was paused or began to wait for approval', async () => {
    const { api, build } = harness;
    const agent = await build.agent();
    const paused = await api.post(`/api/agents/${agent.id}/pause`).expect(200);
    expect(await rowOf(agent)).toMatchObject({ statusSince: paused.body.pausedAt });
    const { body } = await api
      .post(`/api/companies/${agent.companyId}/agent-hires`)
      .send({ name: 'Ada', role: 'engineer' })
      .expect(201);
    expect(await rowOf(body.agent)).toMatchObject({ statusSince: body.agent.createdAt });
  });
});
