import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { HeartbeatRunView } from '@switchyard/types';
import { type Harness, useHarness } from '../../../test/harness';
import { startWorkers } from '../../../test/runner';
import { SUCCEEDED, untilAborted } from '../../../test/scripted-adapter';
import type { Workers } from '../../work/jobs';

const WATCH = `
  CREATE TABLE IF NOT EXISTS seen (agent_id uuid, status text, n int);
  CREATE OR REPLACE FUNCTION watch_runs() RETURNS trigger AS $$ BEGIN
    INSERT INTO seen SELECT NEW.agent_id, status, count(*) FROM heartbeat_run
      WHERE agent_id = NEW.agent_id AND status IN ('queued', 'running') GROUP BY status;
    RETURN NEW;
  END $$ LANGUAGE plpgsql;
  CREATE OR REPLACE TRIGGER watch_runs AFTER INSERT OR UPDATE OF status ON heartbeat_run
    FOR EACH ROW EXECUTE FUNCTION watch_runs();`;

describe('heartbeats', () => {
  const harness = useHarness();
  const scripted: Harness['scripted'] = {
    get adapter() {
      return harness.scripted.adapter;
    },
    on: (agentId, script) => harness.scripted.on(agentId, script),
  };
  let workers: Workers[] = [];

  const startWorker = () => {
    const started = startWorkers(harness.context);
    workers.push(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(workers.map((each) => each.close({ handOverAfterMs: 0 })));
    workers = [];
  });

  const invoke = (agentId: string, body: object = {}) =>
    harness.api.post(`/api/agents/${agentId}/heartbeat/invoke`).send(body);
  const getRun = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`)).body as HeartbeatRunView;
  const runsOf = async (agentId: string, companyId: string) =>
    (await harness.api.get(`/api/companies/${companyId}/heartbeat-runs`).query({ agentId }))
      .body as HeartbeatRunView[];

  describe('admission', () => {
    it('limits thirty concurrent invokes to one running and one waiting run', async () => {
      await harness.asOwner(WATCH);
      const agent = await harness.build.agent();
      for (let worker = 0; worker < 3; worker++) startWorker();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => invoke(agent.id, { reason: `wake ${n}` })),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array(30).fill(202));
      await until('all runs to end', async () => {
        const runs = await runsOf(agent.id, agent.companyId);
        return runs.every((run) => run.status === 'succeeded');
      });
      const { rows } = await harness.context.db.pool.query(
        'SELECT status, max(n) AS most FROM seen WHERE agent_id = $1 GROUP BY status',
        [agent.id],
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row.most).toBe(1);
      const runs = await runsOf(agent.id, agent.companyId);
      const reasons = runs.flatMap((run) => run.wakeReasons.map((wake) => wake.reason));
      expect(reasons.sort()).toEqual(Array.from({ length: 30 }, (_, n) => `wake ${n}`).sort());
    });

    it('merges all wakes during a run into the next run', async () => {
      const agent = await harness.build.agent();
      let finish: () => void = () => undefined;
      scripted.on(
        agent.id,
        () =>
          new Promise((resolve) => {
            finish = () => resolve(SUCCEEDED);
          }),
      );
      startWorker();
      const first = (await invoke(agent.id)).body as HeartbeatRunView;
      await until('it to start', async () => (await getRun(first.id)).status === 'running');
      const later = await Promise.all(
        Array.from({ length: 5 }, (_, n) => invoke(agent.id, { reason: `during ${n}` })),
      );
      const followUps = new Set(later.map((answer) => answer.body.id as string));
      expect(followUps.size).toBe(1);
      expect(followUps.has(first.id)).toBe(false);
      scripted.on(agent.id, () => SUCCEEDED);
      finish();
      const [followUp] = [...followUps] as [string];
      const ended = await until('the follow-up', async () => {
        const run = await getRun(followUp);
        return run.status === 'succeeded' ? run : null;
      });
      expect(ended.wakeReasons).toHaveLength(5);
      expect(await runsOf(agent.id, agent.companyId)).toHaveLength(2);
    });

    it('starts at most maxConcurrentRuns runs at the same time', async () => {
      const agent = await harness.build.agent({ maxConcurrentRuns: 2 });
      scripted.on(agent.id, untilAborted);
      startWorker();
      for (const expected of [1, 2]) {
        await invoke(agent.id);
        await until(`${expected} to run`, async () => {
          const runs = await runsOf(agent.id, agent.companyId);
          return runs.filter((run) => run.status === 'running').length === expected;
        });
      }
      const third = (await invoke(agent.id)).body as HeartbeatRunView;
      const runs = await runsOf(agent.id, agent.companyId);
      expect(runs.map((run) => run.status).sort()).toEqual(['queued', 'running', 'running']);
      expect((await getRun(third.id)).status).toBe('queued');
    });
  });

  describe('pause', () => {
    it('prevents all later starts of runs, even of runs that 100 concurrent invokes have created', async () => {
      const company = await harness.build.company();
      startWorker();
      startWorker();
      const agents = await Promise.all(
        Array.from({ length: 20 }, () => harness.build.agent({ companyId: company.id })),
      );
      await Promise.all(
        agents.flatMap((agent) => [
          ...Array.from({ length: 5 }, () => invoke(agent.id)),
          harness.api.post(`/api/agents/${agent.id}/pause`),
        ]),
      );
      await until('nothing to wait or run', async () => {
        const open = await harness.db.heartbeatRun.count({
          where: { companyId: company.id, status: { in: ['queued', 'running'] } },
        });
        return open === 0;
      });
      const { rows } = await harness.context.db.pool.query(
        `SELECT r.id FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
         WHERE a.company_id = $1 AND r.started_at > a.paused_at`,
        [company.id],
      );
      expect(rows).toEqual([]);
      const paused = await harness.db.agent.count({
        where: { companyId: company.id, status: 'paused', pauseReason: 'manual' },
      });
      expect(paused).toBe(20);
    });

    it('ends running runs, and a resume does not start cancelled runs again', async () => {
      const agent = await harness.build.agent();
      scripted.on(agent.id, untilAborted);
      startWorker();
      const running = (await invoke(agent.id)).body as HeartbeatRunView;
      await until('it to start', async () => (await getRun(running.id)).status === 'running');
      const waiting = (await invoke(agent.id)).body as HeartbeatRunView;
      await harness.api.post(`/api/agents/${agent.id}/pause`).expect(200);
      expect(await getRun(waiting.id)).toMatchObject({
        status: 'cancelled',
        errorCode: 'agent_paused',
        startedAt: null,
      });
      await until('it to stop', async () => (await getRun(running.id)).status === 'cancelled');
      const refused = await invoke(agent.id);
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        code: 'not_invokable',
        details: { reason: 'agent_paused_manual' },
      });
      const resumed = await harness.api.post(`/api/agents/${agent.id}/resume`);
      expect(resumed.body).toMatchObject({ status: 'idle', pauseReason: null, pausedAt: null });
      expect((await getRun(waiting.id)).status).toBe('cancelled');
    });
  });

  describe('cancel and retry', () => {
    it('cancels a waiting run immediately, and a running run when its agent has stopped', async () => {
      const agent = await harness.build.agent();
      scripted.on(agent.id, untilAborted);
      const waiting = (await invoke(agent.id)).body as HeartbeatRunView;
      const cancelled = await harness.api.post(`/api/heartbeat-runs/${waiting.id}/cancel`);
      expect(cancelled.status).toBe(200);
      expect(cancelled.body).toMatchObject({ status: 'cancelled', errorCode: 'cancelled' });
      startWorker();
      const running = (await invoke(agent.id)).body as HeartbeatRunView;
      await until('it to start', async () => (await getRun(running.id)).status === 'running');
      await harness.api.post(`/api/heartbeat-runs/${running.id}/cancel`).expect(200);
      await until('it to stop', async () => (await getRun(running.id)).status === 'cancelled');
      const again = await harness.api.post(`/api/heartbeat-runs/${running.id}/cancel`);
      expect(again.status).toBe(200);
    });

    it('retries a failed run with its wake reasons, but not a successful run', async () => {
      const agent = await harness.build.agent();
      scripted.on(agent.id, () => ({
        status: 'failed',
        exitCode: 3,
        errorCode: 'adapter_exit',
        error: 'exit code 3',
        transient: false,
      }));
      const first = (await invoke(agent.id, { reason: 'try' })).body as HeartbeatRunView;
      await harness.drain();
      expect(await getRun(first.id)).toMatchObject({ status: 'failed', exitCode: 3 });
      expect((await harness.api.get(`/api/agents/${agent.id}`)).body.status).toBe('error');
      scripted.on(agent.id, () => SUCCEEDED);
      const retried = await harness.api.post(`/api/heartbeat-runs/${first.id}/retry`);
      expect(retried.status).toBe(202);
      expect(retried.body).toMatchObject({ source: 'retry', retryOfRunId: first.id });
      await harness.drain();
      expect(await getRun(retried.body.id)).toMatchObject({
        status: 'succeeded',
        wakeReasons: [{ reason: 'try' }],
      });
      const refused = await harness.api.post(`/api/heartbeat-runs/${retried.body.id}/retry`);
      expect(refused.status).toBe(409);
      expect(refused.body.code).toBe('not_retryable');
    });
  });

  describe('failures', () => {
    it('retries a transient failure later, up to a limit', async () => {
      const agent = await harness.build.agent();
      const failure = { exitCode: null, errorCode: 'http_503', error: 'busy', transient: true };
      scripted.on(agent.id, () => ({ status: 'failed', ...failure, retryAfterMs: 0 }));
      await invoke(agent.id);
      await harness.drain();
      const runs = await runsOf(agent.id, agent.companyId);
      expect(runs.map((run) => run.source)).toEqual(['retry', 'retry', 'retry', 'manual']);
    });

    it('pauses the agent after five consecutive failures, counted from zero after a resume', async () => {
      const agent = await harness.build.agent();
      const failure = { exitCode: 1, errorCode: 'adapter_exit', error: 'no', transient: false };
      scripted.on(agent.id, () => ({ status: 'failed', ...failure }));
      for (let failed = 1; failed <= 5; failed++) {
        await invoke(agent.id).expect(202);
        await harness.drain();
      }
      const paused = await harness.api.get(`/api/agents/${agent.id}`);
      expect(paused.body).toMatchObject({ status: 'paused', pauseReason: 'failures' });
      await invoke(agent.id).expect(409);
      await harness.api.post(`/api/agents/${agent.id}/resume`).expect(200);
      await invoke(agent.id).expect(202);
      await harness.drain();
      expect((await harness.api.get(`/api/agents/${agent.id}`)).body.status).toBe('error');
    });

    it('fails a run whose adapter throws', async () => {
      const agent = await harness.build.agent();
      scripted.on(agent.id, () => {
        throw new Error('a defect');
      });
      const run = (await invoke(agent.id)).body as HeartbeatRunView;
      await harness.drain();
      expect(await getRun(run.id)).toMatchObject({ status: 'failed', errorCode: 'adapter_error' });
    });
  });

  describe('usage and output', () => {
    it('adds usage to the run and to the agent’s month, and masks secrets', async () => {
      const agent = await harness.build.agent({
        adapterConfig: { env: { TOKEN: 'a-very-secret-value' } },
      });
      scripted.on(agent.id, (run) => {
        run.onOutput(Buffer.from(`key ${run.environment.SERVICE_API_KEY} a-very-`));
        run.onOutput(Buffer.from('secret-value ü'));
        const usage = { provider: 'p', model: 'm', inputTokens: 5, outputTokens: 7, costCents: 11 };
        run.onUsage(usage);
        run.onUsage(usage);
        return SUCCEEDED;
      });
      const run = (await invoke(agent.id)).body as HeartbeatRunView;
      await harness.drain();
      expect((await getRun(run.id)).usage).toEqual({
        inputTokens: 10,
        outputTokens: 14,
        costCents: 22,
        unpricedEvents: 0,
      });
      expect((await harness.api.get(`/api/agents/${agent.id}`)).body.spentMonthlyCents).toBe(22);
      expect(await harness.db.costEvent.count({ where: { runId: run.id } })).toBe(2);
      const log = await harness.api.get(`/api/heartbeat-runs/${run.id}/log`);
      expect(log.body).toMatchObject({ content: 'key *** *** ü', eof: true });
    });

    it('masks a secret even if output of the other stream interrupts it', async () => {
      const agent = await harness.build.agent({
        adapterConfig: { env: { TOKEN: 'a-very-secret-value' } },
      });
      scripted.on(agent.id, (run) => {
        run.onOutput(Buffer.from('<a-very-'), 'stderr');
        run.onOutput(Buffer.from('[meanwhile]'));
        run.onOutput(Buffer.from('secret-value>'), 'stderr');
        return SUCCEEDED;
      });
      const run = (await invoke(agent.id)).body as HeartbeatRunView;
      await harness.drain();
      const log = await harness.api.get(`/api/heartbeat-runs/${run.id}/log`);
      expect(log.body.content).toBe('<[meanwhile]***>');
    });

    it('returns the output in parts that never split a character', async () => {
      const agent = await harness.build.agent();
      const text = 'aü€😀'.repeat(40);
      scripted.on(agent.id, (run) => {
        run.onOutput(Buffer.from(text));
        return SUCCEEDED;
      });
      const run = (await invoke(agent.id)).body as HeartbeatRunView;
      await harness.drain();
      let read = '';
      for (let offset = 0, eof = false; !eof; ) {
        const slice = await harness.api
          .get(`/api/heartbeat-runs/${run.id}/log`)
          .query({ offset, limit: 17 });
        read += slice.body.content;
        ({ nextOffset: offset, eof } = slice.body);
      }
      expect(read).toBe(text);
    });
  });

  it('reject unknown and malformed run ids, run ids of other companies, and invokes of other agents', async () => {
    const own = await harness.build.liveRun();
    const foreign = await harness.build.liveRun();
    for (const path of ['', '/log']) {
      await harness.api.get(`/api/heartbeat-runs/${newId()}${path}`).expect(404);
      await harness.api.get(`/api/heartbeat-runs/nonsense${path}`).expect(404);
      const refused = await harness.api
        .get(`/api/heartbeat-runs/${foreign.id}${path}`)
        .set('Authorization', own.authorization);
      expect(refused.status).toBe(403);
      expect(refused.body.code).toBe('cross_company');
    }
    const other = await harness.build.agent({ companyId: own.agent.companyId });
    const notOwn = await invoke(other.id).set('Authorization', own.authorization);
    expect(notOwn.body.code).toBe('not_own');
    const bad = await invoke(own.agent.id, { issueId: 'x', extra: 1 });
    expect(bad.status).toBe(400);
    expect(bad.body.details.map((problem: { path: string[] }) => problem.path[0])).toEqual([
      'issueId',
      'extra',
    ]);
    const unknown = await invoke(own.agent.id, { issueId: newId() });
    expect(unknown.body).toMatchObject({
      code: 'unknown_reference',
      details: { field: 'issueId' },
    });
    const foreignIssue = await harness.build.issue({ companyId: foreign.agent.companyId });
    const crossed = await invoke(own.agent.id, { issueId: foreignIssue.id });
    expect(crossed.body).toMatchObject({ code: 'cross_company', details: { field: 'issueId' } });
  });
});
