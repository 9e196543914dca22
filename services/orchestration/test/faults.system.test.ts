import { listLiving } from '@switchyard/runner/test/living-processes';
import { redisUrl, until } from '@switchyard/testing';
import type { AgentDetailView, HeartbeatRunView } from '@switchyard/types';
import { Redis } from 'ioredis';
import { CLAIM_AND_FINISH, CLAIM_AND_HANG, CLAIM_AND_IGNORE_TERM, NOTHING } from './agent-programs';
import { findViolations } from './find-violations';
import { useHarness } from './harness';
import { startHostProcesses, type WorkerProcess } from './worker-process';

/** Uses a separate Redis database, because one of these tests empties it. */
const OWN_REDIS = Object.assign(new URL(redisUrl()), { pathname: '/7' }).href;

describe('runs during faults of workers and of the queue', () => {
  const harness = useHarness({ config: { redisUrl: OWN_REDIS } });
  const workers: WorkerProcess[] = [];

  const startWorker = async (runnerName?: string) => {
    const worker = await startHostProcesses(harness.config, runnerName);
    workers.push(worker);
    return worker;
  };
  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.signal('SIGCONT');
      worker.signal('SIGKILL');
      await worker.ended;
    }
  });

  const run = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`)).body as HeartbeatRunView;
  const log = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}/log`)).body.content as string;
  const configure = (agent: AgentDetailView, adapterConfig: object) =>
    harness.api.patch(`/api/agents/${agent.id}`).send({ adapterConfig });

  const hangingRun = async (program = CLAIM_AND_HANG, graceSec = 0.2) => {
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { ...program, graceSec },
    });
    const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
    const queued = await harness.build.queuedRun(agent.id, { issueId: issue.id });
    await until('the agent to claim', async () => (await log(queued.id)).includes('claimed 200'));
    return { agent, issue, runId: queued.id };
  };

  it('continue on another worker after their worker is killed, and leave no process behind', async () => {
    const first = await startWorker();
    const { agent, issue, runId } = await hangingRun();
    const before = listLiving(`SERVICE_RUN_ID=${runId}`);
    expect(before.length).toBeGreaterThanOrEqual(2);

    await configure(agent, CLAIM_AND_FINISH);
    await startWorker();
    first.signal('SIGKILL');
    await first.ended;
    const killedAt = performance.now();
    const ended = await until('the run to end', async () => {
      const now = await run(runId);
      return now.status === 'succeeded' ? now : null;
    });
    process.stdout.write(`recovered after ${Math.round(performance.now() - killedAt)} ms\n`);

    expect(ended.attempt).toBe(2);
    expect(listLiving(`SERVICE_RUN_ID=${runId}`)).toEqual([]);
    const after = await harness.api.get(`/api/issues/${issue.id}`);
    expect(after.body).toMatchObject({ status: 'done', checkoutRunId: null });
  });

  it('cannot be changed by a frozen worker that resumes after another worker has taken them over', async () => {
    const frozen = await startWorker();
    const { agent, runId } = await hangingRun();
    await configure(agent, CLAIM_AND_FINISH);
    frozen.signal('SIGSTOP');
    await startWorker();
    await until(
      'the other worker to end it',
      async () => (await run(runId)).status === 'succeeded',
    );
    const stored = await run(runId);
    frozen.signal('SIGCONT');
    await until('the frozen worker to let go', async () => {
      const living = listLiving(`SERVICE_RUN_ID=${runId}`);
      return living.length === 0;
    });
    frozen.signal('SIGTERM');
    expect(await frozen.ended).toBe(0);
    expect(await run(runId)).toEqual(stored);
    const finishes = await harness.api
      .get(`/api/companies/${agent.companyId}/activity`)
      .query({ entityType: 'heartbeat_run', entityId: runId });
    expect(
      finishes.body.filter((row: { action: string }) => row.action === 'heartbeat.succeeded'),
    ).toHaveLength(1);
  });

  it('pass to another worker without losing an attempt when their worker stops, even if the agent ignores SIGTERM', async () => {
    const first = await startWorker();
    const { agent, runId } = await hangingRun(CLAIM_AND_IGNORE_TERM, 60);
    await configure(agent, CLAIM_AND_FINISH);
    first.signal('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(listLiving(`SERVICE_RUN_ID=${runId}`)).toEqual([]);
    await startWorker();
    const ended = await until('the run to end', async () => {
      const now = await run(runId);
      return now.status === 'succeeded' ? now : null;
    });
    expect(ended.attempt).toBe(1);
  });

  it('succeed even if the queue in Redis was emptied', async () => {
    const company = await harness.build.company();
    const runs = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const agent = await harness.build.agent({
          companyId: company.id,
          adapterType: 'process',
          adapterConfig: NOTHING,
        });
        return harness.build.queuedRun(agent.id);
      }),
    );
    const redis = new Redis(OWN_REDIS);
    await redis.flushdb();
    redis.disconnect();
    await startWorker();
    await until('all runs to succeed', async () => {
      const done = await harness.db.heartbeatRun.count({
        where: { companyId: company.id, status: 'succeeded', attempt: 1 },
      });
      return done === runs.length;
    });
  });

  it('fail with worker_lost if their worker is killed in all three attempts', async () => {
    const { agent, runId } = await (async () => {
      const doomed = await startWorker();
      const hanging = await hangingRun();
      doomed.signal('SIGKILL');
      await doomed.ended;
      return hanging;
    })();
    for (const attempt of [2, 3]) {
      const doomed = await startWorker(`attempt ${attempt}`);
      await until('the next attempt to be at work', async () => {
        const claims = (await log(runId)).split('claimed 200').length - 1;
        return claims === attempt && listLiving(`SERVICE_RUN_ID=${runId}`).length >= 2;
      });
      doomed.signal('SIGKILL');
      await doomed.ended;
    }
    await startWorker();
    const ended = await until('the run to fail', async () => {
      const now = await run(runId);
      return now.status === 'failed' ? now : null;
    });
    expect(ended).toMatchObject({ attempt: 3, errorCode: 'worker_lost' });
    await startWorker('attempt 3');
    await until('its processes to end', () => listLiving(`SERVICE_RUN_ID=${runId}`).length === 0);
    const { body } = await harness.api.get(`/api/agents/${agent.id}`);
    expect(body.status).toBe('error');
  });

  it('leave the invariants intact', async () => {
    expect(await findViolations(harness.context.db.pool)).toEqual({});
  });
});
