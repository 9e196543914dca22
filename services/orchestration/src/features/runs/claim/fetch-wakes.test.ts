import { until } from '@switchyard/testing';
import type { AgentDetailView, FetchedRunView, HeartbeatRunDetailView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { startWorkers } from '../../../../test/runner';
import { queueRules, readQueueState } from '../../../observability/queue-state';
import type { Workers } from '../../../work/jobs';
import { eventStreams } from '../../events/event-streams';

describe('GET /api/agents/me/wakes for an external agent', () => {
  const harness = useHarness();
  const workers: Workers[] = [];
  afterEach(async () => {
    for (const each of workers.splice(0)) {
      await each.close({ handOverAfterMs: 0 });
    }
  });

  const external = async (fields: Partial<AgentDetailView> = {}, adapterConfig = {}) => {
    const agent = await harness.build.agent({ adapterType: 'external', adapterConfig, ...fields });
    return { agent, key: await harness.build.apiKey(agent.id) };
  };
  const fetchAs = (key: string, wait?: number) =>
    harness.api
      .get('/api/agents/me/wakes')
      .query(wait === undefined ? {} : { wait })
      .set('Authorization', key);
  const fetched = async (key: string, wait?: number) =>
    (await fetchAs(key, wait).expect(200)).body as FetchedRunView;
  const finish = (run: FetchedRunView, body: object = {}) =>
    harness.api
      .post(`/api/heartbeat-runs/${run.runId}/finish`)
      .set('Authorization', `Bearer ${run.runToken}`)
      .send({ status: 'succeeded', ...body });
  const read = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body as HeartbeatRunDetailView;
  const ended = (id: string) =>
    until(`the end of ${id}`, async () => {
      const run = await read(id);
      return run.finishedAt === null ? null : run;
    });

  it('returns a run token that works until the run is finished', async () => {
    const { agent, key } = await external();
    const { companyId, id: agentId } = agent;
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    const made = await harness.build.queuedRun(agentId, { issueId: issue.id, reason: 'go' });
    const run = await fetched(key);
    expect(run).toMatchObject({ runId: made.id, companyId, agentId, issueId: issue.id });
    expect(run.wakes).toEqual((await read(made.id)).wakes);
    expect(run.wakes).toMatchObject([{ source: 'manual', reason: 'go', title: issue.title }]);
    expect(run.variables).toEqual({
      SERVICE_COMPANY_ID: companyId,
      SERVICE_AGENT_ID: agentId,
      SERVICE_RUN_ID: made.id,
      SERVICE_ISSUE_ID: issue.id,
      SERVICE_WAKES: JSON.stringify(run.wakes),
      SERVICE_WAKE_COUNT: '1',
      SERVICE_WAKE_SOURCE: 'manual',
      SERVICE_WAKE_REASON: 'go',
    });
    expect(await read(made.id)).toMatchObject({ status: 'running', attempt: 1 });
    const acting = { Authorization: `Bearer ${run.runToken}` };
    await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set(acting)
      .send({ agentId, expectedStatuses: ['todo'] })
      .expect(200);
    await fetchAs(key).expect(204);
    expect((await finish(run).expect(200)).body).toMatchObject({ status: 'succeeded' });
    await harness.api.get('/api/agents/me').set(acting).expect(401);
    const { body } = await harness.api.get(`/api/agents/${agentId}`);
    expect(body.status).toBe('idle');
  });

  it('returns each run to exactly one of many concurrent calls', async () => {
    const { agent, key } = await external({ maxConcurrentRuns: 3 });
    for (let round = 0; round < 3; round++) {
      const { id } = await harness.build.queuedRun(agent.id);
      const answers = await Promise.all(Array.from({ length: 8 }, () => fetchAs(key)));
      const got = answers.filter(({ status }) => status === 200);
      expect(got.map(({ body }) => body.runId)).toEqual([id]);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(7);
    }
  });

  it('returns as soon as a run is queued, and holds no database connection while it waits', async () => {
    const size = harness.config.databasePoolSize;
    const agents = await Promise.all(Array.from({ length: size + 5 }, () => external()));
    const waiting = agents.map(({ key }) => fetchAs(key, 30).then(({ body }) => body));
    const { pool } = harness.context.db;
    await until(
      'all of them to wait',
      async () => eventStreams(harness.context).count() === size + 5,
    );
    await until('a free pool', async () => pool.idleCount === pool.totalCount);
    const made = await Promise.all(agents.map(({ agent }) => harness.build.queuedRun(agent.id)));
    const runs = (await Promise.all(waiting)) as FetchedRunView[];
    expect(runs.map(({ runId }) => runId)).toEqual(made.map(({ id }) => id));
    await until('all to leave', async () => eventStreams(harness.context).count() === 0);
  });

  it('returns a run to only one of two waiting calls', async () => {
    const { agent, key } = await external();
    const waiting = [fetchAs(key, 2), fetchAs(key, 2)].map((each) => each.then((answer) => answer));
    await until('both to wait', async () => eventStreams(harness.context).count() === 2);
    const { id } = await harness.build.queuedRun(agent.id);
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 204]);
    expect(answers.find(({ status }) => status === 200)?.body.runId).toBe(id);
  });

  it('leaves the run to the next call if the caller disconnects or its key is revoked', async () => {
    const { agent, key } = await external();
    const gone = fetchAs(key, 30);
    const ending = gone.catch(() => undefined);
    gone.then(
      () => undefined,
      () => undefined,
    );
    await until('it to wait', async () => eventStreams(harness.context).count() === 1);
    gone.abort();
    await until('it to leave', async () => eventStreams(harness.context).count() === 0);
    void ending;
    const revoked = fetchAs(key, 30).then(({ status }) => status);
    await until('the next to wait', async () => eventStreams(harness.context).count() === 1);
    const { body: keys } = await harness.api.get(`/api/agents/${agent.id}/keys`);
    await harness.api.delete(`/api/agents/${agent.id}/keys/${keys[0].id}`).expect(204);
    const { id } = await harness.build.queuedRun(agent.id);
    expect(await revoked).toBe(401);
    expect(await read(id)).toMatchObject({ status: 'queued' });
    expect((await fetched(await harness.build.apiKey(agent.id))).runId).toBe(id);
  });

  it('does not claim a run for a HEAD request', async () => {
    const { agent, key } = await external();
    const { id } = await harness.build.queuedRun(agent.id);
    await harness.api.head('/api/agents/me/wakes').set('Authorization', key).expect(204);
    expect((await fetched(key)).runId).toBe(id);
  });

  it('merges waiting wakes into one run, and respects maxConcurrentRuns', async () => {
    const { agent, key } = await external({ maxConcurrentRuns: 1 });
    await harness.build.queuedRun(agent.id, { reason: 'one' });
    await harness.build.queuedRun(agent.id, { reason: 'two' });
    const first = await fetched(key);
    expect(first.wakes.map(({ reason }) => reason)).toEqual(['one', 'two']);
    await harness.build.queuedRun(agent.id, { reason: 'three' });
    await fetchAs(key).expect(204);
    await finish(first).expect(200);
    expect((await fetched(key)).wakes.map(({ reason }) => reason)).toEqual(['three']);
  });

  it('returns only runs that workers never claim, and these runs delay no other runs', async () => {
    const { agent } = await external();
    const { id } = await harness.build.queuedRun(agent.id);
    const { companyId } = agent;
    workers.push(startWorkers(harness.context));
    const others = await Promise.all(
      Array.from({ length: 3 }, () => harness.build.agent({ companyId })),
    );
    const runs = await Promise.all(others.map((other) => harness.build.queuedRun(other.id)));
    for (const run of runs) expect(await ended(run.id)).toMatchObject({ status: 'succeeded' });
    const row = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: 'queued', epoch: 0 });
    const { context } = harness;
    const { waiting, queued } = await readQueueState(context.probePool, queueRules(context));
    expect(waiting['heartbeat-runs'].depth).toBe(0);
    expect(queued).toBeGreaterThan(0);
  });

  it('starts a run with a time limit, after which the run’s issue is released', async () => {
    const { agent, key } = await external({}, { timeoutSec: 1 });
    const { companyId, id: agentId } = agent;
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    await harness.build.queuedRun(agentId, { issueId: issue.id });
    const run = await fetched(key);
    await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', `Bearer ${run.runToken}`)
      .send({ agentId, expectedStatuses: ['todo'] })
      .expect(200);
    workers.push(startWorkers(harness.context));
    expect(await ended(run.runId)).toMatchObject({ status: 'timed_out', attempt: 1 });
    const row = await harness.db.issue.findUniqueOrThrow({ where: { id: issue.id } });
    expect(row.checkoutRunId).toBeNull();
    await finish(run).expect(401);
    await harness.build.queuedRun(agentId);
    expect((await fetched(key)).runId).not.toBe(run.runId);
  });

  it('returns 204 if the budget is spent, and while the agent or the company is paused', async () => {
    const { agent, key } = await external({ budgetMonthlyCents: 10 });
    const { id, companyId } = agent;
    await harness.build.queuedRun(id);
    const run = await fetched(key);
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 11 };
    await finish(run, { usage }).expect(200);
    await fetchAs(key).expect(204);
    const invoke = `/api/agents/${id}/heartbeat/invoke`;
    await harness.api.post(invoke).send({}).expect(409);
    await harness.api.patch(`/api/agents/${id}`).send({ budgetMonthlyCents: 100 }).expect(200);
    await harness.build.queuedRun(id);
    await harness.api.post(`/api/agents/${id}/pause`).expect(200);
    await fetchAs(key).expect(204);
    await harness.api.post(`/api/agents/${id}/resume`).expect(200);
    await harness.build.queuedRun(id);
    await harness.db.company.update({ where: { id: companyId }, data: { status: 'paused' } });
    await fetchAs(key).expect(204);
  });

  it('starts a run that can be cancelled while it is running', async () => {
    const { agent, key } = await external();
    await harness.build.queuedRun(agent.id);
    const run = await fetched(key);
    workers.push(startWorkers(harness.context));
    await harness.api.post(`/api/heartbeat-runs/${run.runId}/cancel`).expect(200);
    expect(await ended(run.runId)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled' });
  });

  it('returns 409 until the agent’s adapter is changed to external', async () => {
    const agent = await harness.build.agent();
    const key = await harness.build.apiKey(agent.id);
    const { body } = await fetchAs(key).expect(409);
    expect(body).toMatchObject({ details: { adapterType: 'scripted' } });
    const { id } = await harness.build.queuedRun(agent.id);
    const change = { adapterType: 'external', adapterConfig: {} };
    await harness.api.patch(`/api/agents/${agent.id}`).send(change).expect(200);
    expect((await fetched(key)).runId).toBe(id);
  });

  it.each([['-1'], ['31'], ['1.5'], ['x'], ['']])('rejects wait=%p', async (wait) => {
    const { key } = await external();
    const { body } = await harness.api
      .get('/api/agents/me/wakes')
      .query({ wait })
      .set('Authorization', key)
      .expect(400);
    expect(JSON.stringify(body)).toContain('wait');
  });

  it('requires an agent with a valid external configuration', async () => {
    await harness.api.get('/api/agents/me/wakes').expect(403);
    const { id } = await harness.build.company();
    const create = (adapterConfig: object) =>
      harness.api
        .post(`/api/companies/${id}/agents`)
        .send({ name: 'Outside', adapterType: 'external', adapterConfig });
    await create({ url: 'x' }).expect(400);
    await create({ timeoutSec: 86_401 }).expect(400);
    await create({ description: 'a cron job of ours', timeoutSec: 86_400 }).expect(201);
  });
});
