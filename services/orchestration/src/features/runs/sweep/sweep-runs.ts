import type { Context } from '../../../context';

/** Rows hinted longer ago than this, and still waiting, are hinted again. */
const REHINT_AFTER = "interval '3 seconds'";
const BATCH = 500;

/** Runs that wait though their agent has room, and runs whose worker stopped renewing. */
const DUE_RUNS = `
  UPDATE heartbeat_run SET hinted_at = now() WHERE id IN (
    SELECT r.id FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
    WHERE r.status = 'queued' AND (r.hinted_at IS NULL OR r.hinted_at < now() - ${REHINT_AFTER})
      AND (r.not_before IS NULL OR r.not_before <= now())
      AND (SELECT count(*) FROM heartbeat_run o WHERE o.agent_id = r.agent_id AND o.status = 'running')
        < a.max_concurrent_runs
    ORDER BY r.hinted_at NULLS FIRST LIMIT ${BATCH} FOR UPDATE OF r SKIP LOCKED
  ) RETURNING id`;

const EXPIRED_RUNS = `
  UPDATE heartbeat_run SET hinted_at = now() WHERE id IN (
    SELECT id FROM heartbeat_run
    WHERE status = 'running' AND lease_expires_at < clock_timestamp()
      AND (hinted_at IS NULL OR hinted_at < now() - interval '1 second'
        OR hinted_at < lease_expires_at)
    ORDER BY lease_expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

/**
 * Repeats the hint for every row that waits without anybody knowing: lost jobs, a flushed Redis, a dead
 * worker. Safe with any number of sweepers; `hinted_at` keeps them from repeating each other.
 */
export async function sweepRuns(context: Context): Promise<number> {
  const { db, hints } = context;
  const due = await db.rows<{ id: string }>('sweep-due', DUE_RUNS, []);
  const expired = await db.rows<{ id: string }>('sweep-expired', EXPIRED_RUNS, []);
  const rows = [...due, ...expired];
  for (const row of rows) await hints.hint('heartbeat-runs', { runId: row.id });
  return rows.length;
}
