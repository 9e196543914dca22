import { ask, type Database, statement } from '@switchyard/db';

export async function pruneWakeups(
  { db }: { db: Database },
  days: number,
  batch: number,
): Promise<number> {
  const [pruned] = await ask(db, prune, { days, batch });
  return pruned?.count ?? 0;
}

/** Keeps wakes of routines, because they link a routine run to its heartbeat run. */
const prune = statement('prune-wakeups', {
  takes: { days: 'int', batch: 'int' },
  gives: { count: 'int' },
  sql: ({ days, batch }) => `
    WITH gone AS (
      DELETE FROM agent_wakeup WHERE id = ANY (ARRAY(
        SELECT id FROM agent_wakeup w
        WHERE created_at < now() - make_interval(days => ${days})
          AND status <> 'pending' AND routine_run_id IS NULL
          AND NOT EXISTS (
            SELECT 1 FROM heartbeat_run r WHERE r.id = w.run_id AND r.finished_at IS NULL)
        ORDER BY created_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)) RETURNING 1)
    SELECT count(*)::int AS count FROM gone`,
});
