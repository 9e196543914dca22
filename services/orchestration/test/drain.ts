import type { Context } from '../src/context';
import { fireScheduled } from '../src/features/routines/firing/fire-scheduled';
import { openLeases } from '../src/features/runs/claim/leases';
import { createRunSlots } from '../src/features/runs/claim/run-slots';
import { processWakeup } from '../src/features/wakes/process-wakeup';
import { typesOfRunners } from '../src/state/runs/claims/takers';
import { serveRuns } from '../src/work/jobs';

const WAITING = `
  SELECT r.id FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
  WHERE r.status = 'queued' AND (r.not_before IS NULL OR r.not_before <= now())
    AND (SELECT count(*) FROM heartbeat_run o WHERE o.agent_id = r.agent_id AND o.status = 'running')
      < a.max_concurrent_runs
    AND a.adapter_type <> 'external' AND a.adapter_type <> ALL ($1)`;

const FIRED = `SELECT id FROM routine_run WHERE status = 'pending' ORDER BY created_at, id`;

const PENDING = `SELECT id FROM agent_wakeup WHERE status = 'pending' ORDER BY created_at, id`;

/** Puts every waiting row, but for runs that runners execute, through the real handlers, and those that this makes wait, until none is left. */
export async function drain(context: Context): Promise<void> {
  const { config, logger } = context;
  const leases = openLeases({ url: config.databaseUrl, leaseMs: config.leaseMs, logger });
  const slots = createRunSlots(Number.POSITIVE_INFINITY);
  const server = { context, leases, workerId: 'drain', slots };
  try {
    for (;;) {
      const fired = await context.db.pool.query<{ id: string }>(FIRED);
      for (const { id } of fired.rows) await fireScheduled(context, id);
      const pending = await context.db.pool.query<{ id: string }>(PENDING);
      for (const { id } of pending.rows) await processWakeup(context, id);
      const ofRunners = typesOfRunners(context);
      const { rows } = await context.db.pool.query<{ id: string }>(WAITING, [ofRunners]);
      if (rows.length === 0 && pending.rows.length === 0) return;
      await Promise.all(rows.map((row) => serveRuns(server, row.id)));
    }
  } finally {
    await leases.close();
  }
}
