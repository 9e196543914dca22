import type { Context } from '../../../context';

/** Runs looked at in one statement. */
const RUNS = 100;

/** The smallest id that a run made `days` ago can have: ids are UUID v7, which begin with the time. */
const OLDEST_KEPT = `
  (lpad(to_hex((extract(epoch FROM now() - make_interval(days => $1::int)) * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid`;

/**
 * Walks the runs that have a log from the oldest id on, in the primary key of the chunks, so that neither
 * runs whose log is gone nor young ones are looked at. A log is cut from its end, together with the length
 * that its run tells: a reader sees a shorter log, never one with a hole.
 */
const PRUNE = `
  WITH RECURSIVE logged AS (
    (SELECT run_id FROM run_log_chunk WHERE run_id < ${OLDEST_KEPT} ORDER BY run_id LIMIT 1)
    UNION ALL
    SELECT (SELECT run_id FROM run_log_chunk WHERE run_id > logged.run_id AND run_id < ${OLDEST_KEPT}
      ORDER BY run_id LIMIT 1) FROM logged WHERE logged.run_id IS NOT NULL
  ), old AS MATERIALIZED (
    SELECT run.id FROM logged CROSS JOIN LATERAL (
      SELECT id FROM heartbeat_run
      WHERE id = logged.run_id AND finished_at < now() - make_interval(days => $1::int)
      FOR UPDATE SKIP LOCKED
    ) run LIMIT ${RUNS}
  ), gone AS (
    DELETE FROM run_log_chunk WHERE (run_id, start_offset) IN (
      SELECT run_id, start_offset FROM old JOIN run_log_chunk ON run_id = old.id
      ORDER BY run_id, start_offset DESC LIMIT $2::int)
    RETURNING run_id, start_offset
  ), cut AS (
    UPDATE heartbeat_run SET log_bytes = gone.start
    FROM (SELECT run_id, min(start_offset) AS start FROM gone GROUP BY run_id) gone
    WHERE heartbeat_run.id = gone.run_id
  )
  SELECT count(*)::int AS count FROM gone`;

/** Forgets the output of runs that ended more than `days` ago; a run that is not over keeps all of its. */
export async function pruneRunLogs(
  context: Pick<Context, 'db'>,
  days: number,
  batch: number,
): Promise<number> {
  const [row] = await context.db.rows<{ count: number }>('prune-run-logs', PRUNE, [days, batch]);
  return row?.count ?? 0;
}
