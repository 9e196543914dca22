import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@switchyard/testing';
import type { AgentDetailView, HeartbeatRunView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { startWorkers } from '../../../test/runner';
import type { Workers } from '../../work/jobs';

interface Received {
  runId: string;
  environment: Record<string, string>;
}

describe('a run whose agent returned 202', () => {
  const harness = useHarness({ config: { workerConcurrency: 2 } });
  const calls: Received[] = [];
  let before: (call: Received) => Promise<unknown> = async () => undefined;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const call = JSON.parse(text) as Received;
    calls.push(call);
    await before(call);
    response.writeHead(202).end('accepted\n');
  });
  const workers: Workers[] = [];
  const work = () => workers.push(startWorkers(harness.context));
  const stopWorkers = async () => {
    for (const each of workers.splice(0)) {
      await each.close({ handOverAfterMs: 0 });
    }
  };

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    before = async () => undefined;
    await stopWorkers();
    calls.splice(0);
  });
  afterAll(() => server.close());

  const agentOf = (fields: Partial<AgentDetailView> = {}, config = {}) =>
    harness.build.agent({
      adapterType: 'http',
      adapterConfig: {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        ...config,
      },
      ...fields,
    });
  const read = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body as HeartbeatRunView;
  const ended = (id: string) =>
    until(`the end of ${id}`, async () => {
      const run = await read(id);
      return run.finishedAt === null ? null : run;
    });
  const detached = (id: string) =>
    until(`${id} to go on elsewhere`, () =>
      harness.db.heartbeatRun.findFirst({ where: { id, status: 'running', isDetached: true } }),
    );
  const accepted = async (agent: AgentDetailView) => {
    const { id } = await harness.build.queuedRun(agent.id);
    await detached(id);
    const call = calls.find(({ runId }) => runId === id) as Received;
    return { id, authorization: `Bearer ${call.environment.SERVICE_API_KEY}` };
  };
  const finish = (run: { id: string; authorization: string }, body: object = {}) =>
    harness.api
      .post(`/api/heartbeat-runs/${run.id}/finish`)
      .set('Authorization', run.authorization)
      .send({ status: 'succeeded', ...body });

  it('continues until a call with the run’s token finishes the run', async () => {
    work();
    const agent = await agentOf();
    const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
    const run = await accepted(agent);
    await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId: agent.id, expectedStatuses: ['todo'] })
      .expect(200);
    const usage = { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 4, costCents: 5 };
    const { body } = await finish(run, { summary: 'all of it', usage }).expect(200);
    expect(body).toMatchObject({ id: run.id, status: 'succeeded', errorCode: null, attempt: 1 });
    expect(body.usage).toMatchObject({ inputTokens: 3, outputTokens: 4, costCents: 5 });
    const log = await harness.api.get(`/api/heartbeat-runs/${run.id}/log`).expect(200);
    expect(log.body).toMatchObject({ content: 'accepted\nall of it\n', eof: true });
    const { body: after } = await harness.api.get(`/api/agents/${agent.id}`).expect(200);
    expect(after).toMatchObject({ status: 'idle' });
    const { body: left } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
    expect(left.checkoutRunId).toBeNull();
    const again = await finish(run).expect(401);
    expect(again.body.error).toContain('the run of this token has ended');
  });

  it('fails with the error text that the agent reports, and sets the agent’s status to error', async () => {
    work();
    const agent = await agentOf();
    const run = await accepted(agent);
    await finish(run, { status: 'failed', error: 'no luck' }).expect(200);
    expect(await read(run.id)).toMatchObject({
      status: 'failed',
      errorCode: 'agent_failed',
      error: 'no luck',
    });
    const { body } = await harness.api.get(`/api/agents/${agent.id}`);
    expect(body).toMatchObject({ status: 'error' });
  });

  it('uses no slot of a worker, and starts the agent’s next run when it ends', async () => {
    work();
    const agents = await Promise.all(Array.from({ length: 5 }, () => agentOf()));
    const runs = await Promise.all(agents.map(accepted));
    expect(runs).toHaveLength(5);
    const [agent, run] = [agents[0]!, runs[0]!];
    const next = await harness.build.queuedRun(agent.id);
    expect(next).toMatchObject({ status: 'queued' });
    await finish(run).expect(200);
    await detached(next.id);
  });

  it('keeps its time limit and its token when workers restart', async () => {
    work();
    const run = await accepted(await agentOf());
    const { leaseExpiresAt: until } = await detached(run.id);
    await stopWorkers();
    work();
    const other = await accepted(await agentOf());
    const row = await detached(run.id);
    expect(row).toMatchObject({ epoch: 1, attempt: 1, leaseExpiresAt: until });
    expect(calls).toHaveLength(2);
    await finish(run).expect(200);
    await finish(other).expect(200);
  });

  it('times out even if every slot is in use', async () => {
    work();
    const run = await accepted(await agentOf({}, { timeoutSec: 1 }));
    expect(await ended(run.id)).toMatchObject({
      status: 'timed_out',
      errorCode: 'timeout',
      error: 'the agent did not finish the run within its time limit',
    });
    await finish(run).expect(401);
  });

  it.each([
    ['cancelled', (run: string) => `/api/heartbeat-runs/${run}/cancel`],
    ['agent_paused', (_run: string, agent: AgentDetailView) => `/api/agents/${agent.id}/pause`],
    ['agent_terminated', (_: string, { id }: AgentDetailView) => `/api/agents/${id}/terminate`],
    [
      'company_archived',
      (_: string, { companyId }: AgentDetailView) => `/api/companies/${companyId}/archive`,
    ],
  ])('can be cancelled like any other run: %s', async (errorCode, path) => {
    work();
    const agent = await agentOf();
    const run = await accepted(agent);
    await harness.api.post(path(run.id, agent)).expect(200);
    expect(await ended(run.id)).toMatchObject({ status: 'cancelled', errorCode });
    expect(calls).toHaveLength(1);
  });

  it('ends as cancelled when a budget is spent', async () => {
    work();
    const agent = await agentOf({ budgetMonthlyCents: 10 });
    const run = await accepted(agent);
    const cost = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 11 };
    await harness.api
      .post(`/api/companies/${agent.companyId}/cost-events`)
      .set('Authorization', run.authorization)
      .send({ ...cost, agentId: agent.id, runId: run.id })
      .expect(201);
    expect(await ended(run.id)).toMatchObject({ status: 'cancelled', errorCode: 'agent_budget' });
  });

  it('succeeds even if its final usage report spends the budget', async () => {
    work();
    const agent = await agentOf({ budgetMonthlyCents: 10 });
    const run = await accepted(agent);
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 11 };
    const { body } = await finish(run, { usage }).expect(200);
    expect(body).toMatchObject({ status: 'succeeded', usage: { costCents: 10 } });
    const { body: after } = await harness.api.get(`/api/agents/${agent.id}`);
    expect(after).toMatchObject({ status: 'paused', pauseReason: 'budget' });
  });

  it('ends once and counts its usage once if finish calls are concurrent', async () => {
    work();
    const run = await accepted(await agentOf());
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 2 };
    const answers = await Promise.all(Array.from({ length: 8 }, () => finish(run, { usage })));
    const codes = answers.map(({ status }) => status).sort();
    expect(codes[0]).toBe(200);
    for (const code of codes.slice(1)) expect([401, 409]).toContain(code);
    expect((await read(run.id)).usage.costCents).toBe(2);
  });

  it('ends once if it is cancelled and finished concurrently', async () => {
    work();
    const agents = await Promise.all(Array.from({ length: 4 }, () => agentOf()));
    for (const run of await Promise.all(agents.map(accepted))) {
      await Promise.all([finish(run), harness.api.post(`/api/heartbeat-runs/${run.id}/cancel`)]);
      const { status } = await ended(run.id);
      expect(['succeeded', 'cancelled']).toContain(status);
      const activity = await harness.db.activity.count({
        where: { entityId: run.id, action: { in: ['heartbeat.succeeded', 'heartbeat.cancelled'] } },
      });
      expect(activity).toBe(1);
    }
  });

  it('can be finished before its 202 arrives', async () => {
    before = async ({ runId, environment }) => {
      const authorization = `Bearer ${environment.SERVICE_API_KEY}`;
      await finish({ id: runId, authorization }).expect(200);
    };
    work();
    const { id } = await harness.build.queuedRun((await agentOf()).id);
    expect(await ended(id)).toMatchObject({ status: 'succeeded' });
    await stopWorkers();
    expect(await read(id)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('ends as cancelled if it is cancelled before its 202 arrives', async () => {
    before = async ({ runId }) => {
      await harness.api.post(`/api/heartbeat-runs/${runId}/cancel`).expect(200);
    };
    work();
    const { id } = await harness.build.queuedRun((await agentOf()).id);
    expect(await ended(id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled' });
  });
});

describe('POST /api/heartbeat-runs/{runId}/finish', () => {
  const harness = useHarness();
  const finish = (id: string, authorization: string, body: object = { status: 'succeeded' }) =>
    harness.api
      .post(`/api/heartbeat-runs/${id}/finish`)
      .set('Authorization', authorization)
      .send(body);
  const detachedRun = async (of: Partial<AgentDetailView> = {}) => {
    const run = await harness.build.liveRun(of);
    await harness.db.heartbeatRun.update({ where: { id: run.id }, data: { isDetached: true } });
    return run;
  };

  it('accepts calls by the run’s agent, but rejects the token of another run', async () => {
    const run = await detachedRun({});
    const sibling = await detachedRun(run.agent);
    const colleague = await detachedRun({ companyId: run.agent.companyId });
    const stranger = await detachedRun();
    expect((await finish(run.id, sibling.authorization).expect(403)).body.code).toBe('not_own');
    expect((await finish(run.id, colleague.authorization).expect(403)).body.code).toBe('not_own');
    await finish(run.id, stranger.authorization).expect(403);
    await harness.api
      .post(`/api/heartbeat-runs/${run.id}/finish`)
      .send({ status: 'succeeded' })
      .expect(403);
    await finish(run.id, await harness.build.apiKey(run.agent.id)).expect(200);
  });

  it('returns 409 with the reason if the run cannot be finished', async () => {
    const agent = await harness.build.agent();
    const key = await harness.build.apiKey(agent.id);
    const waiting = await harness.build.queuedRun(agent.id);
    expect((await finish(waiting.id, key).expect(409)).body.error).toBe('the run has not started');
    await harness.api.post(`/api/heartbeat-runs/${waiting.id}/cancel`).expect(200);
    const over = await finish(waiting.id, key).expect(409);
    expect(over.body.error).toBe('the run has already ended with status cancelled');
    const { id, authorization } = await harness.build.liveRun(agent);
    const local = await finish(id, authorization).expect(409);
    expect(local.body.error).toContain('ends with its process');
  });

  it.each([
    [{}, 'status'],
    [{ status: 'cancelled' }, 'status'],
    [{ status: 'succeeded', error: 'x' }, 'error'],
    [{ status: 'failed', error: 'x'.repeat(2_001) }, 'error'],
    [{ status: 'succeeded', summary: 7 }, 'summary'],
    [{ status: 'succeeded', usage: { provider: 'p' } }, 'usage'],
    [{ status: 'succeeded', more: true }, 'more'],
  ])('rejects %j with an error that names the field %s', async (body, field) => {
    const { id, authorization } = await detachedRun();
    const { body: refusal } = await finish(id, authorization, body).expect(400);
    expect(JSON.stringify(refusal)).toContain(field);
    await finish(id, authorization).expect(200);
  });
});
