import { ask } from '@switchyard/db';
import type { RunAssignment, RunOutcome } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { runnerClient, USAGE, WITH_RUNNERS } from '../../../../test/runner-client';
import { explainUnclaimed } from '../../../state/runs/claims/claimable';
import { type Taker, takerValues } from '../../../state/runs/claims/takers';
import { claimNextRun } from '../../runs/claim/claim-next-run';
import { createRunSlots } from '../../runs/claim/run-slots';

const UPTIME = `
  SELECT (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::int AS ms`;

describe('a run that a runner executes', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const command = { adapterType: 'process', adapterConfig: { command: 'true' } };
  const runOf = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body;
  const logOf = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}/log`).expect(200)).body.content;
  const begin = async (fields: object = {}) => {
    const agent = await harness.build.agent({ ...command, ...fields });
    await harness.build.queuedRun(agent.id);
    const runner = runnerClient(harness);
    const [run] = (await runner.take()) as [RunAssignment];
    return { agent, runner, run };
  };
  const expire = (runId: string) =>
    harness.db.heartbeatRun.update({
      where: { id: runId },
      data: { leaseExpiresAt: new Date(Date.now() - 3_600_000) },
    });

  afterEach(async () => {
    await harness.db.heartbeatRun.updateMany({
      where: { status: { in: ['queued', 'running'] } },
      data: { status: 'cancelled', finishedAt: new Date() },
    });
  });

  describe('POST …/log', () => {
    it('stores each part once, at any offset up to the end of the log', async () => {
      const { runner, run } = await begin();
      const sent = async (offset: number, content: string) =>
        (await runner.log(run, offset, content).expect(200)).body.logBytes;
      expect(await sent(0, 'Hello')).toBe(5);
      expect(await sent(0, 'Hello')).toBe(5);
      expect(await sent(3, 'lo, world')).toBe(12);
      expect(await sent(2, 'llo')).toBe(12);
      expect(await sent(12, '')).toBe(12);
      expect(await logOf(run.runId)).toBe('Hello, world');
      const gap = await runner.log(run, 13, '!').expect(409);
      expect(gap.body).toMatchObject({ code: 'conflict', details: { logBytes: 12 } });
      const both = await Promise.all([sent(12, '!?'), sent(12, '!?')]);
      expect(both).toEqual([14, 14]);
      expect(await logOf(run.runId)).toBe('Hello, world!?');
    });

    it('rejects a part that is too large, exceeds the log limit or comes after the end of the run', async () => {
      const { runner, run } = await begin();
      const { maxRunLogBytes } = harness.config;
      await runner.log(run, 0, Buffer.alloc(1_048_577)).expect(413);
      const beyond = await runner.log(run, maxRunLogBytes, Buffer.alloc(2_000)).expect(413);
      expect(beyond.body.details).toMatchObject({ limit: maxRunLogBytes });
      await runner.log(run, 0, 'last words').expect(200);
      await runner.end(run).expect(204);
      expect((await runner.log(run, 10, '!').expect(409)).body.code).toBe('stale_ticket');
      expect(await logOf(run.runId)).toBe('last words');
    });
  });

  it('counts each usage report only once, by its number', async () => {
    const { agent, runner, run } = await begin();
    const first = await Promise.all([runner.usage(run, 1), runner.usage(run, 1)]);
    expect(first.map(({ status }) => status)).toEqual([200, 200]);
    const gap = await runner.usage(run, 3).expect(409);
    expect(gap.body).toMatchObject({ code: 'conflict', details: { usageSeq: 1 } });
    await runner.usage(run, 2, { costCents: null }).expect(200);
    expect((await runner.usage(run, 1).expect(200)).body).toEqual({ usageSeq: 2 });
    expect((await runOf(run.runId)).usage).toEqual({
      inputTokens: 2 * USAGE.inputTokens,
      outputTokens: 2 * USAGE.outputTokens,
      costCents: USAGE.costCents,
      unpricedEvents: 1,
    });
    expect(await harness.db.costEvent.count({ where: { agentId: agent.id } })).toBe(2);
  });

  it('has the state cancelled in the response to the next lease renewal if its agent’s budget has been spent', async () => {
    const { agent, runner, run } = await begin({ budgetMonthlyCents: 3 });
    await runner.usage(run, 1).expect(200);
    const paused = await harness.api.get(`/api/agents/${agent.id}`).expect(200);
    expect(paused.body).toMatchObject({ status: 'paused', pauseReason: 'budget' });
    const { body } = await runner.leases([run]).expect(200);
    expect(body).toEqual({ runs: [{ runId: run.runId, state: 'cancelled' }] });
    await runner.end(run, { status: 'aborted', exitCode: null }).expect(204);
    expect(await runOf(run.runId)).toMatchObject({
      status: 'cancelled',
      errorCode: 'agent_budget',
    });
  });

  it('passes its conversation and the usage counted so far to the next run for the issue', async () => {
    const agent = await harness.build.agent({ adapterType: 'codex', adapterConfig: {} });
    const issue = await harness.build.issue({ companyId: agent.companyId });
    const work = async () => {
      await harness.build.queuedRun(agent.id, { issueId: issue.id });
      const runner = runnerClient(harness);
      const [run] = (await runner.take()) as [RunAssignment];
      return { runner, run };
    };
    const { runner, run } = await work();
    const tokens = { input: 7, output: 1, cacheRead: 0, cacheWrite: 0 };
    const models = [{ model: 'a-model', ...tokens, dollars: 0.25 }];
    const counted = { ...tokens, dollars: 0.5, models };
    await runner.session(run, 'talk', '/tmp/x').expect(204);
    await runner.session(run, 'talk', '/tmp/x').expect(204);
    await runner
      .about(run, 'usage')
      .send({ seq: 1, sessionId: 'talk', usage: { ...USAGE, counted } })
      .expect(200);
    await runner.end(run).expect(204);
    await runner.session(run, 'other', '/tmp/y').expect(409);
    const later = await work();
    expect(later.run.spec.session).toEqual({ id: 'talk', directory: '/tmp/x', counted });
  });

  it('cannot store a conversation whose directory is the run folder of another agent', async () => {
    const foreign = await harness.build.queuedRun((await harness.build.agent(command)).id);
    const agent = await harness.build.agent({ adapterType: 'codex', adapterConfig: {} });
    const issue = await harness.build.issue({ companyId: agent.companyId });
    const own = await harness.build.queuedRun(agent.id, { issueId: issue.id });
    const runner = runnerClient(harness);
    const run = (await runner.take()).find(({ runId }) => runId === own.id) as RunAssignment;
    const kept = () => harness.db.agentSession.findFirst({ where: { agentId: agent.id } });
    await runner.session(run, 'talk', `/data/runs/${foreign.id}`).expect(204);
    expect(await kept()).toBeNull();
    await runner.session(run, 'talk', `/data/runs/${run.runId}`).expect(204);
    expect(await kept()).toMatchObject({ directory: `/data/runs/${run.runId}` });
  });

  describe('POST …/end', () => {
    it.each<[RunOutcome, object]>([
      [
        { status: 'succeeded', exitCode: 0 },
        { status: 'succeeded', exitCode: 0, errorCode: null },
      ],
      [
        { status: 'failed', exitCode: 3, errorCode: 'exit_code', error: 'no', transient: false },
        { status: 'failed', exitCode: 3, errorCode: 'exit_code', error: 'no' },
      ],
      [
        { status: 'timed_out', exitCode: null, errorCode: 'timeout', error: 'late' },
        { status: 'timed_out', errorCode: 'timeout' },
      ],
    ])('keeps the first reported outcome: %j', async (outcome, expected) => {
      const { runner, run } = await begin();
      await runner.end(run, outcome).expect(204);
      const ended = await runOf(run.runId);
      expect(ended).toMatchObject(expected);
      await runner.end(run, { status: 'aborted', exitCode: null }).expect(204);
      expect(await runOf(run.runId)).toEqual(ended);
    });

    it('queues only one retry after a transient failure', async () => {
      const { runner, run } = await begin();
      const failed = {
        status: 'failed',
        exitCode: 1,
        errorCode: 'overloaded',
        error: 'busy',
      } as const;
      await runner.end(run, { ...failed, transient: true, retryAfterMs: 60_000 }).expect(204);
      await runner.end(run, { ...failed, transient: true }).expect(204);
      const retries = await harness.db.heartbeatRun.findMany({
        where: { retryOfRunId: run.runId },
      });
      expect(retries).toHaveLength(1);
    });

    it('records only one end if several ends are reported concurrently after a cancellation', async () => {
      const { runner, run } = await begin();
      await harness.api.post(`/api/heartbeat-runs/${run.runId}/cancel`).expect(200);
      const { body } = await runner.leases([run]).expect(200);
      expect(body.runs).toEqual([{ runId: run.runId, state: 'cancelled' }]);
      const ends = await Promise.all([
        runner.end(run, { status: 'aborted', exitCode: null }),
        runner.end(run, { status: 'aborted', exitCode: null }),
      ]);
      expect(ends.map(({ status }) => status)).toEqual([204, 204]);
      expect(await runOf(run.runId)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled' });
      const records = await harness.db.activity.count({
        where: { entityId: run.runId, action: 'heartbeat.cancelled' },
      });
      expect(records).toBe(1);
    });

    it('keeps the reported outcome if the run is cancelled concurrently', async () => {
      const { runner, run } = await begin();
      const [cancelled, ended] = await Promise.all([
        harness.api.post(`/api/heartbeat-runs/${run.runId}/cancel`),
        runner.end(run),
      ]);
      expect(ended.status).toBe(204);
      expect([200, 409]).toContain(cancelled.status);
      expect((await runOf(run.runId)).status).toBe('succeeded');
    });
  });

  it('loses an attempt on release only if the run may have crashed the runner', async () => {
    const { runner, run } = await begin();
    await runner.release(run).expect(204);
    await runner.release(run).expect(409);
    const [again] = (await runner.take()) as [RunAssignment];
    expect(again).toMatchObject({ runId: run.runId, epoch: 2, spec: { attempt: 1 } });
    await runner.release(again, true).expect(204);
    const [third] = (await runner.take()) as [RunAssignment];
    expect(third).toMatchObject({ epoch: 3, spec: { attempt: 2 } });
  });

  describe('the lease', () => {
    it('can be renewed only for a run that the runner holds in this epoch, and reports other runs as lost', async () => {
      const agent = await harness.build.agent({ ...command, maxConcurrentRuns: 2 });
      const runner = runnerClient(harness);
      await harness.build.queuedRun(agent.id);
      const [one] = (await runner.take()) as [RunAssignment];
      await harness.build.queuedRun(agent.id);
      const [two] = (await runner.take({ running: [one.runId] })) as [RunAssignment];
      await expire(one.runId);
      const unknown = { runId: crypto.randomUUID(), epoch: 1 };
      const { body } = await runner.leases([one, { ...two, epoch: 9 }, unknown]).expect(200);
      expect(body.runs).toEqual([
        { runId: one.runId, state: 'held' },
        { runId: two.runId, state: 'lost' },
        { runId: unknown.runId, state: 'lost' },
      ]);
      const renewed = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: one.runId } });
      expect(renewed.leaseExpiresAt?.getTime()).toBeGreaterThan(Date.now());
      expect((await runner.leases([])).body).toEqual({ runs: [] });
    });

    it('does not expire for other runners before the API process has been up for the length of a lease', async () => {
      const { run } = await begin();
      await expire(run.runId);
      const other = runnerClient(harness);
      const { leaseMs } = harness.config.runner;
      harness.config.runner.leaseMs = 86_400_000;
      try {
        expect(await other.take()).toEqual([]);
      } finally {
        harness.config.runner.leaseMs = leaseMs;
      }
    });

    it('does not expire before the database has been up for the length of a lease', async () => {
      const { run } = await begin();
      await expire(run.runId);
      const { db } = harness.context;
      const { rows } = await db.pool.query<{ ms: number }>(UPTIME);
      const [{ ms }] = rows as [{ ms: number }];
      const taker: Taker = { kind: 'runner', labels: [], companyId: null };
      const values = {
        runnerInstance: null,
        maxRunning: 0,
        ...takerValues(harness.context, taker),
      };
      const claimable = async (takeOverAfterMs: number) => {
        const claim = { ...values, runId: run.runId, takeOverAfterMs };
        return (await ask(db, explainUnclaimed, claim)).map(({ id }) => ({ id }));
      };
      expect(await claimable(ms + 3_600_000)).toEqual([]);
      expect(await claimable(ms)).toEqual([{ id: run.runId }]);
    });

    it('lets another runner take over the run after expiry, and then rejects calls of the first runner', async () => {
      const { runner, run } = await begin();
      await runner.log(run, 0, 'first').expect(200);
      await expire(run.runId);
      const { leaseMs } = harness.config.runner;
      harness.config.runner.leaseMs = 1;
      const other = runnerClient(harness);
      const [taken] = (await other.take()) as [RunAssignment];
      harness.config.runner.leaseMs = leaseMs;
      expect(taken).toMatchObject({
        runId: run.runId,
        epoch: 2,
        spec: { attempt: 2, logBytes: 5 },
      });
      expect((await runner.leases([run])).body.runs).toEqual([{ runId: run.runId, state: 'lost' }]);
      for (const call of [
        runner.log(run, 5, 'x'),
        runner.usage(run, 1),
        runner.session(run, 's', '/'),
        runner.end(run),
        runner.release(run),
      ]) {
        expect((await call).body).toMatchObject({ code: 'stale_ticket' });
      }
      await other.usage(taken, 1).expect(200);
      await other.log(taken, 5, ', second').expect(200);
      await other.end(taken).expect(204);
      expect(await logOf(run.runId)).toBe('first, second');
    });

    it('expires even if no runner is connected, and fails the run if this was its last attempt', async () => {
      const { run } = await begin();
      await harness.db.heartbeatRun.update({ where: { id: run.runId }, data: { attempt: 3 } });
      await expire(run.runId);
      const { leaseMs } = harness.config.runner;
      harness.config.runner.leaseMs = 1;
      const worker = { context: harness.context, workerId: 'w', slots: createRunSlots(1) };
      expect(await claimNextRun(worker, run.runId)).toBeNull();
      harness.config.runner.leaseMs = leaseMs;
      expect(await runOf(run.runId)).toMatchObject({ status: 'failed', errorCode: 'worker_lost' });
    });
  });

  describe('after a restart of the runner', () => {
    it('moves to the new instance without losing an attempt, and rejects calls of the previous instance', async () => {
      const { runner, run } = await begin();
      const successor = runnerClient(harness, { name: runner.name });
      const [taken] = (await successor.take()) as [RunAssignment];
      expect(taken).toMatchObject({ runId: run.runId, epoch: 2, spec: { attempt: 1 } });
      for (const call of [runner.hello(), runner.ask()]) {
        expect((await call).body).toMatchObject({ code: 'runner_replaced' });
      }
      expect((await runner.leases([run])).body.runs).toEqual([{ runId: run.runId, state: 'lost' }]);
      await runner.end(run).expect(409);
      await successor.hello().expect(200);
      expect((await successor.leases([taken])).body.runs[0].state).toBe('held');
    });

    it('loses no attempt for the first ten losses, but one attempt for each further loss', async () => {
      const { runner, run } = await begin();
      for (const [losses, attempt] of [
        [9, 1],
        [10, 2],
      ]) {
        await harness.db.heartbeatRun.update({ where: { id: run.runId }, data: { losses } });
        const successor = runnerClient(harness, { name: runner.name });
        const [taken] = (await successor.take()) as [RunAssignment];
        expect(taken).toMatchObject({ runId: run.runId, spec: { attempt } });
      }
    });

    it('stays with its runner if a runner of a company registers under the same name', async () => {
      const { runner, run } = await begin();
      const { id } = await harness.build.company();
      const made = await harness.api.post(`/api/companies/${id}/runners`).send({ name: 'Desk' });
      const namesake = runnerClient(harness, { name: runner.name, token: made.body.token });
      await namesake.hello().expect(200);
      expect((await runner.leases([run])).body.runs[0].state).toBe('held');
    });
  });
});
