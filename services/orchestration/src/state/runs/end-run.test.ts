import { silentLogger } from '@switchyard/server';
import type { ActivityView, AgentDetailView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import type { Script } from '../../../test/scripted-adapter';
import { claimRun } from './claim-run';
import type { ClaimedRun } from './claims/claimed-run';
import { finishRun, type RunEnd } from './end-run';
import { requeueRun } from './requeue-run';

describe('ending a run', () => {
  const ended: unknown[] = [];
  const logger = {
    ...silentLogger,
    info: (message: string, fields?: object) =>
      void (message === 'run ended' && ended.push({ ...fields })),
  };
  const harness = useHarness({ context: { logger } });
  beforeEach(() => ended.splice(0));

  const counted = async () => {
    const { values } = await harness.context.metrics.runsFinished.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.status, value]));
  };
  const endsOf = async (companyId: string, entityId: string) => {
    const { body } = await harness.api
      .get(`/api/companies/${companyId}/activity`)
      .query({ entityType: 'heartbeat_run', entityId });
    return (body as ActivityView[]).filter(({ action }) =>
      /^heartbeat\.(succeeded|failed|timed_out|cancelled)$/.test(action),
    );
  };
  const expectEnd = async (
    run: { id: string; companyId: string; agentId: string },
    before: Record<string, number>,
    end: { status: string; errorCode: string | null; exitCode?: number | null },
    agent: Record<string, unknown>,
  ) => {
    const { status, errorCode, exitCode = null } = end;
    expect(await counted()).toEqual({ ...before, [status]: (before[status] ?? 0) + 1 });
    expect(await endsOf(run.companyId, run.id)).toMatchObject([
      {
        action: `heartbeat.${status}`,
        actorType: 'system',
        runId: run.id,
        details: { agentId: run.agentId, exitCode, errorCode },
      },
    ]);
    const row = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: run.id } });
    expect(row).toMatchObject({ status, errorCode, exitCode, leaseExpiresAt: null });
    expect(row.finishedAt).not.toBeNull();
    const after = await harness.db.agent.findUniqueOrThrow({ where: { id: run.agentId } });
    expect(after).toMatchObject(agent);
  };
  const running = async (of: Partial<AgentDetailView> = {}) => {
    const agent = await harness.build.agent(of as { companyId?: string });
    const waiting = await harness.build.queuedRun(agent.id);
    return (await claimRun(harness.context, waiting, 'a worker')) as ClaimedRun;
  };
  const lose = ({ id }: { id: string }, attempt = 1) =>
    harness.db.heartbeatRun.update({
      where: { id },
      data: { leaseExpiresAt: new Date(Date.now() - 1_000), attempt },
    });

  const ENDS: [RunEnd, Record<string, unknown>][] = [
    [
      { status: 'succeeded', exitCode: 0 },
      { status: 'idle', errorReason: null },
    ],
    [
      { status: 'failed', exitCode: 3, errorCode: 'adapter_exit', error: 'exit code 3' },
      { status: 'error', errorReason: 'exit code 3' },
    ],
    [
      { status: 'timed_out', exitCode: null, errorCode: 'timeout', error: 'too long' },
      { status: 'error', errorReason: 'too long' },
    ],
    [{ status: 'cancelled', exitCode: null, errorCode: 'cancelled' }, { status: 'idle' }],
  ];

  it.each(ENDS)(
    'counts and records the end only once, and updates the agent: %j',
    async (end, agent) => {
      const run = await running();
      const before = await counted();
      const ends = await Promise.all([1, 2, 3].map(() => finishRun(harness.context, run, end)));
      expect(ends.filter((isEnded) => isEnded)).toHaveLength(1);
      const { status, exitCode, errorCode = null } = end;
      await expectEnd(run, before, { status, exitCode, errorCode }, agent);
    },
  );

  it('writes one log line with duration, cost and error code', async () => {
    const run = await running();
    const { id: runId, companyId, agentId } = run;
    await harness.db.heartbeatRun.update({
      where: { id: runId },
      data: { costCents: 42, startedAt: new Date(Date.now() - 60_000) },
    });
    const end = { status: 'failed', exitCode: 3, errorCode: 'adapter_exit' } as const;
    await Promise.all([1, 2].map(() => finishRun(harness.context, run, end)));
    const durationMs = expect.any(Number);
    expect(ended).toEqual([{ runId, companyId, agentId, ...end, costCents: 42, durationMs }]);
    expect(Object(ended[0]).durationMs).toBeGreaterThanOrEqual(60_000);
  });

  it('does not change the status of the agent if the agent has another run', async () => {
    const one = await running();
    const other = await harness.build.queuedRun(one.agentId);
    await harness.db.agent.update({ where: { id: one.agentId }, data: { maxConcurrentRuns: 2 } });
    await claimRun(harness.context, other, 'a worker');
    const before = await counted();
    await finishRun(harness.context, one, { status: 'succeeded', exitCode: 0 });
    const end = { status: 'succeeded', errorCode: null, exitCode: 0 };
    await expectEnd(one, before, end, { status: 'running' });
  });

  it('pauses the agent and cancels its waiting run after too many consecutive failures', async () => {
    const run = await running();
    const waiting = await harness.build.queuedRun(run.agentId);
    await harness.db.agent.update({
      where: { id: run.agentId },
      data: { consecutiveFailures: harness.config.failuresBeforePause - 1 },
    });
    const before = await counted();
    await finishRun(harness.context, run, { status: 'failed', exitCode: 1, errorCode: 'x' });
    expect(await counted()).toEqual({
      ...before,
      failed: (before.failed ?? 0) + 1,
      cancelled: (before.cancelled ?? 0) + 1,
    });
    expect(await endsOf(run.companyId, run.id)).toMatchObject([{ action: 'heartbeat.failed' }]);
    expect(await endsOf(run.companyId, waiting.id)).toMatchObject([
      { action: 'heartbeat.cancelled', details: { errorCode: 'agent_paused' } },
    ]);
    const agent = await harness.db.agent.findUniqueOrThrow({ where: { id: run.agentId } });
    expect(agent).toMatchObject({ status: 'paused', pauseReason: 'failures', errorReason: 'x' });
  });

  it.each(['cancelled', 'agent_paused', 'agent_budget', 'company_archived'])(
    'uses the error code of the requested cancellation if the worker was lost: %s',
    async (cancelReason) => {
      const run = await running();
      await lose(run);
      const cancelRequestedAt = new Date();
      const data = { cancelReason, cancelRequestedAt };
      await harness.db.heartbeatRun.update({ where: { id: run.id }, data });
      const before = await counted();
      expect(await claimRun(harness.context, run, 'another')).toBeNull();
      const end = { status: 'cancelled', errorCode: cancelReason };
      await expectEnd(run, before, end, { status: 'idle' });
    },
  );

  it('happens when the third worker of the run is lost', async () => {
    const run = await running();
    await lose(run, 3);
    const before = await counted();
    expect(await claimRun(harness.context, run, 'another')).toBeNull();
    await expectEnd(
      run,
      before,
      { status: 'failed', errorCode: 'worker_lost' },
      { status: 'error' },
    );
  });

  it('does not happen when another worker takes over the run', async () => {
    const run = await running();
    const before = await counted();
    await requeueRun(harness.context, run);
    expect(await counted()).toEqual(before);
    expect(await endsOf(run.companyId, run.id)).toEqual([]);
  });

  it('happens to a waiting run when the budget of its agent is spent', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    const run = await harness.build.queuedRun(agent.id);
    const before = await counted();
    const cost = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 100 };
    const path = `/api/companies/${agent.companyId}/cost-events`;
    await harness.api
      .post(path)
      .send({ ...cost, agentId: agent.id })
      .expect(201);
    const end = { status: 'cancelled', errorCode: 'agent_budget' };
    await expectEnd(run, before, end, { status: 'paused', pauseReason: 'budget' });
  });

  it('uses the error code `cancelled` if the run was cancelled while its adapter ran', async () => {
    const agent = await harness.build.agent();
    const stopItself: Script = async (run) => {
      await harness.api.post(`/api/heartbeat-runs/${run.runId}/cancel`).expect(200);
      return new Promise((resolve) => {
        run.signal.addEventListener('abort', () => resolve({ status: 'aborted', exitCode: null }));
      });
    };
    harness.scripted.on(agent.id, stopItself);
    const run = await harness.build.queuedRun(agent.id);
    const before = await counted();
    await harness.drain();
    const end = { status: 'cancelled', errorCode: 'cancelled' };
    await expectEnd(run, before, end, { status: 'idle' });
  });
});
