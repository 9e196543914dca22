import { freePort, holds, type Metric, readAlertRules, readPage, until } from '@switchyard/testing';
import supertest from 'supertest';
import { createMetricsApplication } from '../src/observability/probes';
import { findViolations } from './find-violations';
import { useHarness } from './harness';
import { startHostProcesses } from './worker-process';

const RULES = readAlertRules('switchyard');
const WATCHED = ['SwitchyardQueueStalled', 'SwitchyardWorkersMissing', 'SwitchyardRunsAbandoned'];

const AGE = `
  WITH older AS (
    UPDATE heartbeat_run SET created_at = created_at - interval '40 seconds' WHERE status = 'queued'
    RETURNING agent_id)
  UPDATE agent SET updated_at = updated_at - interval '40 seconds' WHERE id IN (SELECT agent_id FROM older)`;

describe('alerts after the only worker is killed', () => {
  const harness = useHarness();
  const own = createPage();

  async function scrape(workerPort: number): Promise<Map<string, Metric>[]> {
    const worker = await fetch(`http://127.0.0.1:${workerPort}/metrics`).catch(() => null);
    const texts = [await own(), ...(worker ? [await worker.text()] : [])];
    return texts.map(readPage);
  }

  function createPage() {
    return async () =>
      (await supertest(createMetricsApplication(harness.context)).get('/metrics')).text;
  }

  const firing = async (workerPort: number) => {
    const pages = await scrape(workerPort);
    const watched = RULES.filter(({ alert }) => WATCHED.includes(alert));
    return watched.filter(({ expr }) => holds(expr, pages)).map(({ alert }) => alert);
  };

  const startWorker = async (port: number) =>
    startHostProcesses(harness.config, undefined, { WORKER_PORT: String(port) });

  it('fire, and are resolved after another worker has taken over', async () => {
    const { build, api, db } = harness;
    const port = await freePort();
    const worker = await startWorker(port);
    const agent = await build.agent({
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60000)'] },
    });
    const running = await build.queuedRun(agent.id);
    await until('the agent to run', async () => {
      const run = await db.heartbeatRun.findUniqueOrThrow({ where: { id: running.id } });
      return run.status === 'running';
    });
    expect(await firing(port)).toEqual([]);

    worker.signal('SIGKILL');
    await worker.ended;
    const other = await build.agent({
      companyId: agent.companyId,
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['--version'] },
    });
    await build.queuedRun(other.id);
    await harness.context.db.pool.query(AGE);
    await until('the alerts', async () => (await firing(port)).length === WATCHED.length);

    const next = await startWorker(port);
    await until('quiet', async () => (await firing(port)).length === 0);
    await until(
      'the waiting run to begin',
      async () => (await db.heartbeatRun.count({ where: { status: 'queued' } })) === 0,
    );
    const page = readPage(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    const expiries = page.get('switchyard_lease_expiries_total')?.samples ?? [];
    expect(expiries.find(({ labels }) => labels.outcome === 'taken_over')?.value).toBe(1);
    await api.post(`/api/heartbeat-runs/${running.id}/cancel`);
    next.signal('SIGTERM');
    await next.ended;
  });

  it('end without a violated invariant', async () => {
    expect(await findViolations(harness.context.db.pool)).toEqual({});
  });
});
