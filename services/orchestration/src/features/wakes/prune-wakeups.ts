import type { Context } from '../../context';

/** Wakes of routines stay: a routine run finds the heartbeat run that it came to through them. */
const PRUNE = `
  WITH gone AS (
    DELETE FROM agent_wakeup WHERE id = ANY (ARRAY(
      SELECT id FROM agent_wakeup w
      WHERE created_at < now() - make_interval(days => $1::int)
        AND status <> 'pending' AND routine_run_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM heartbeat_run r WHERE r.id = w.run_id AND r.finished_at IS NULL)
      ORDER BY created_at LIMIT $2::int FOR UPDATE SKIP LOCKED)) RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** Forgets wakes that were decided more than `days` ago and whose run is over. */
export async function pruneWakeups(
  context: Pick<Context, 'db'>,
  days: number,
  batch: number,
): Promise<number> {
  const [row] = await context.db.rows<{ count: number }>('prune-wakeups', PRUNE, [days, batch]);
  return row?.count ?? 0;
}
