import { until } from '@switchyard/testing';
import { fireScheduled } from '../src/features/routines/firing/fire-scheduled';
import { runnerNews } from '../src/features/runners/runner-news';
import { openLeases } from '../src/features/runs/claim/leases';
import { createRunSlots } from '../src/features/runs/claim/run-slots';
import { processWakeup } from '../src/features/wakes/process-wakeup';
import type { Context } from '../src/kernel/context';
import { serveRuns } from '../src/work/jobs';
import { type RunnerOptions, startTestRunner, type TestRunner } from './runner';

const WAITING = `
  SELECT r.id, a.adapter_type = ANY ($1) AS "isForRunners"
  FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
  WHERE r.status = 'queued' AND (r.not_before IS NULL OR r.not_before <= now())
    AND (SELECT count(*) FROM heartbeat_run o WHERE o.agent_id = r.agent_id AND o.status = 'running')
      < a.max_concurrent_runs
    AND a.adapter_type <> 'external'
    AND coalesce(a.adapter_config->'runnerLabels', '[]') = '[]'`;

const HELD = `
  SELECT id FROM heartbeat_run WHERE status = 'running' AND runner_instance IS NOT NULL
    AND lease_expires_at > now()`;

const FIRED = `SELECT id FROM routine_run WHERE status = 'pending' ORDER BY created_at, id`;

const PENDING = `SELECT id FROM agent_wakeup WHERE status = 'pending' ORDER BY created_at, id`;

/** Processes all waiting rows with the real handlers, including rows that the handlers create. */
export async function drain(context: Context, options?: RunnerOptions): Promise<void> {
  const { config, logger } = context;
  const leases = openLeases({ url: config.databaseUrl, leaseMs: config.leaseMs, logger });
  const slots = createRunSlots(Number.POSITIVE_INFINITY);
  const server = { context, leases, workerId: 'drain', slots };
  let runner: Promise<TestRunner> | null = null;
  try {
    for (;;) {
      const fired = await context.db.pool.query<{ id: string }>(FIRED);
      for (const { id } of fired.rows) await fireScheduled(context, id);
      const pending = await context.db.pool.query<{ id: string }>(PENDING);
      for (const { id } of pending.rows) await processWakeup(context, id);
      const { rows } = await context.db.pool.query<WaitingRun>(WAITING, [
        context.adapters.runnerTypes,
      ]);
      const held = await context.db.pool.query<{ id: string }>(HELD);
      if (rows.length + pending.rows.length + held.rows.length === 0) return;
      const [there, here] = [true, false].map((which) =>
        rows.filter(({ isForRunners }) => isForRunners === which).map(({ id }) => id),
      ) as [string[], string[]];
      if (there.length > 0) runner ??= startTestRunner(context, options);
      const ofRunners = [...there, ...held.rows.map(({ id }) => id)];
      const served = here.map((id) => serveRuns(server, id));
      await Promise.all([...served, untilTaken(context, ofRunners)]);
    }
  } finally {
    await (await runner)?.close();
    await leases.close();
  }
}

interface WaitingRun {
  id: string;
  isForRunners: boolean;
}

async function untilTaken(context: Context, runs: string[]): Promise<void> {
  if (runs.length === 0) return;
  runnerNews(context).tell();
  await until('runners to execute what waits', async () => {
    const { pool } = context.db;
    const waiting = await pool.query<{ id: string }>(WAITING, [context.adapters.runnerTypes]);
    const held = await pool.query<{ id: string }>(HELD);
    return ![...waiting.rows, ...held.rows].some(({ id }) => runs.includes(id));
  });
}
