import { announce, ask, type Database, statement } from '@switchyard/db';

export async function appendRunLog(
  db: Database,
  { id: runId, epoch }: { id: string; epoch: number },
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const [appended] = await ask(db, appendChunk, { runId, epoch, content });
  if (appended) announce(db, runId);
  return appended !== undefined;
}

const appendChunk = statement('append-run-log', {
  takes: { runId: 'uuid', epoch: 'int', content: 'bytes' },
  gives: { runId: 'uuid' },
  sql: ({ runId, epoch, content }) => `
    WITH run AS (
      UPDATE heartbeat_run SET log_bytes = log_bytes + length(${content})
      WHERE id = ${runId} AND epoch = ${epoch} AND status = 'running'
      RETURNING company_id, id, log_bytes - length(${content}) AS start_offset
    )
    INSERT INTO run_log_chunk (company_id, run_id, start_offset, content)
    SELECT company_id, id, start_offset, ${content} FROM run RETURNING run_id AS "runId"`,
});

export async function pruneRunLogs(
  { db }: { db: Database },
  days: number,
  batch: number,
): Promise<number> {
  const [pruned] = await ask(db, pruneChunks, { days, batch });
  return pruned?.count ?? 0;
}

const RUNS = 100;

/** SQL: smallest id of a run created `days` ago; UUID v7 ids begin with the time. */
const oldestKept = (days: string) => `
  (lpad(to_hex((extract(epoch FROM now() - make_interval(days => ${days})) * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid`;

/**
 * Reads runs with a log, oldest first, by the primary key of the chunks, so that it skips pruned
 * and young runs. Removes chunks from the end of a log, so that readers see a shorter log, never a
 * gap.
 */
const pruneChunks = statement('prune-run-logs', {
  takes: { days: 'int', batch: 'int' },
  gives: { count: 'int' },
  sql: ({ days, batch }) => `
    WITH RECURSIVE logged AS (
      (SELECT run_id FROM run_log_chunk WHERE run_id < ${oldestKept(days)} ORDER BY run_id LIMIT 1)
      UNION ALL
      SELECT (SELECT run_id FROM run_log_chunk
        WHERE run_id > logged.run_id AND run_id < ${oldestKept(days)} ORDER BY run_id LIMIT 1)
      FROM logged WHERE logged.run_id IS NOT NULL
    ), old AS MATERIALIZED (
      SELECT run.id FROM logged CROSS JOIN LATERAL (
        SELECT id FROM heartbeat_run
        WHERE id = logged.run_id AND finished_at < now() - make_interval(days => ${days})
        FOR UPDATE SKIP LOCKED
      ) run LIMIT ${RUNS}
    ), gone AS (
      DELETE FROM run_log_chunk WHERE (run_id, start_offset) IN (
        SELECT run_id, start_offset FROM old JOIN run_log_chunk ON run_id = old.id
        ORDER BY run_id, start_offset DESC LIMIT ${batch})
      RETURNING run_id, start_offset
    ), cut AS (
      UPDATE heartbeat_run SET log_bytes = gone.start
      FROM (SELECT run_id, min(start_offset) AS start FROM gone GROUP BY run_id) gone
      WHERE heartbeat_run.id = gone.run_id
    )
    SELECT count(*)::int AS count FROM gone`,
});
