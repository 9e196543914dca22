import { once } from 'node:events';
import { until } from '@switchyard/testing';
import type { HeartbeatRunView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { openLeases } from '../../features/runs/claim/leases';
import { createRunSlots } from '../../features/runs/claim/run-slots';
import { drainRuns } from '../../features/runs/sweep/drain-runs';
import { serveRuns } from '../../work/jobs';
import { claimRun } from './claim-run';
import type { ClaimedRun } from './claims/claimed-run';
import { requeueRun } from './requeue-run';

describe('requeueRun', () => {
  const harness = useHarness();

  const claim = async (id: string, workerId: string) => {
    const run = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    return (await claimRun(harness.context, run, workerId)) as ClaimedRun;
  };
  const lose = (runId: string) =>
    harness.context.db.pool.query(
      `UPDATE heartbeat_run SET lease_expires_at = now() - interval '1 s' WHERE id = $1`,
      [runId],
    );

  it('costs no attempt for any number of orderly hand-overs, but one attempt for a later loss', async () => {
    const agent = await harness.build.agent();
    const { id } = await harness.build.queuedRun(agent.id);
    let run = await claim(id, 'worker 0');
    for (let restart = 1; restart <= 6; restart++) {
      await requeueRun(harness.context, run);
      run = await claim(id, `worker ${restart}`);
      expect(run).toMatchObject({ attempt: 1, epoch: restart + 1, status: 'running' });
    }
    for (const attempt of [2, 3]) {
      await lose(id);
      run = await claim(id, `another ${attempt}`);
      expect(run).toMatchObject({ attempt });
      await requeueRun(harness.context, run);
      run = await claim(id, `its heir ${attempt}`);
      expect(run).toMatchObject({ attempt });
    }
    await lose(id);
    expect(await claim(id, 'too late')).toBeNull();
    const { body } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
    const ended = body as HeartbeatRunView;
    expect(ended).toMatchObject({ status: 'failed', errorCode: 'worker_lost', attempt: 3 });
  });

  it('costs an attempt if the worker crashed, so a run cannot crash workers forever', async () => {
    const agent = await harness.build.agent();
    const { id } = await harness.build.queuedRun(agent.id);
    for (const attempt of [1, 2, 3]) {
      const run = await claim(id, `worker ${attempt}`);
      expect(run).toMatchObject({ attempt, status: 'running' });
      await requeueRun(harness.context, run, { cost: 'attempt' });
    }
    expect(await claim(id, 'too late')).toBeNull();
    const { body } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'failed', errorCode: 'worker_lost', attempt: 3 });
  });

  it('requeues a run that was claimed after the drain began', async () => {
    const agent = await harness.build.agent();
    const { id } = await harness.build.queuedRun(agent.id);
    harness.scripted.on(agent.id, async (run) => {
      if (!run.signal.aborted) await once(run.signal, 'abort');
      return { status: 'aborted', exitCode: null };
    });
    const { databaseUrl: url, leaseMs } = harness.config;
    const leases = openLeases({ url, leaseMs, logger: harness.context.logger });
    const server = {
      ...{ context: harness.context, leases, workerId: 'a worker', slots: createRunSlots(2) },
    };
    leases.abortAll('handed_over');
    await serveRuns(server, id);
    await leases.close();
    const run = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    expect(run.workerId).toBeNull();
  });

  it('costs an attempt only if a fault caused the drain', async () => {
    for (const isFault of [false, true]) {
      const agent = await harness.build.agent();
      const { id } = await harness.build.queuedRun(agent.id);
      harness.scripted.on(agent.id, async (run) => {
        if (!run.signal.aborted) await once(run.signal, 'abort');
        return { status: 'aborted', exitCode: null };
      });
      const { databaseUrl: url, leaseMs } = harness.config;
      const leases = openLeases({ url, leaseMs, logger: harness.context.logger });
      const slots = createRunSlots(2);
      const server = { context: harness.context, leases, workerId: 'a worker', slots };
      const served = serveRuns(server, id);
      await until('it is at work', async () => leases.tracked().length === 1);
      await drainRuns(leases, served, { handOverAfterMs: 0, isFault });
      await leases.close();
      const run = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
      expect(run.status).toBe('running');
      expect(run.workerId === null).toBe(!isFault);
    }
  });
});
