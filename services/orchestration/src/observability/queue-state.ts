import type { Pool } from '@switchyard/db';

/** Rows that wait for a worker, by what takes them. */
export const WAITING_KINDS = [
  'heartbeat-runs',
  'mention-wakeups',
  'routine-firings',
  'routine-schedules',
] as const;

export interface QueueState {
  queued: number;
  running: number;
  abandoned: number;
  /** Seconds since 1970; 0 when none was ever recorded. */
  lastBackup: number;
  waiting: Record<(typeof WAITING_KINDS)[number], { depth: number; oldestAgeSeconds: number }>;
}

/**
 * Each part reads one of the partial indexes that hold nothing but live rows, so its cost grows with what
 * waits and never with what has been. A run waits for a worker only while its agent has room and does
 * not fetch its runs itself; it might
 * start since it was written down, its retry was due, or its agent was last changed, as by the end of the
 * run before.
 */
export const QUEUE_STATE = `
  WITH busy AS (
    SELECT agent_id, count(*) AS runs FROM heartbeat_run WHERE status = 'running' GROUP BY agent_id
  ), ready AS (
    SELECT greatest(r.created_at, r.not_before, a.updated_at) AS since
    FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id LEFT JOIN busy b ON b.agent_id = r.agent_id
    WHERE r.status = 'queued' AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())
      AND coalesce(b.runs, 0) < a.max_concurrent_runs AND a.adapter_type <> 'external'
  ), found AS (
    SELECT 'heartbeat-runs' AS kind, count(*) AS depth, min(since) AS since FROM ready
    UNION ALL SELECT 'mention-wakeups', count(*), min(created_at) FROM agent_wakeup
      WHERE status = 'pending'
    UNION ALL SELECT 'routine-firings', count(*), min(created_at) FROM routine_run
      WHERE status = 'pending'
    UNION ALL SELECT 'routine-schedules', count(*), min(next_run_at) FROM routine_trigger
      WHERE next_run_at IS NOT NULL AND next_run_at <= clock_timestamp()
  )
  SELECT kind, depth::int,
    coalesce(greatest(extract(epoch FROM clock_timestamp() - since), 0), 0)::float8 AS age,
    (SELECT count(*)::int FROM heartbeat_run WHERE status = 'queued') AS queued,
    (SELECT count(*)::int FROM heartbeat_run WHERE status = 'running') AS running,
    (SELECT count(*)::int FROM heartbeat_run
      WHERE status = 'running' AND lease_expires_at < clock_timestamp()) AS abandoned,
    coalesce((SELECT extract(epoch FROM completed_at) FROM last_backup WHERE singleton), 0)::float8 AS last_backup
  FROM found`;

interface Row {
  kind: (typeof WAITING_KINDS)[number];
  depth: number;
  age: number;
  queued: number;
  running: number;
  abandoned: number;
  last_backup: number;
}

/** What waits and what runs in the whole system, on the database clock. */
export async function readQueueState(pool: Pool): Promise<QueueState> {
  const { rows } = await pool.query<Row>({ name: 'queue-state', text: QUEUE_STATE });
  const waiting = Object.fromEntries(
    rows.map(({ kind, depth, age }) => [kind, { depth, oldestAgeSeconds: age }]),
  ) as QueueState['waiting'];
  const { queued, running, abandoned, last_backup: lastBackup } = rows[0] as Row;
  return { queued, running, abandoned, lastBackup, waiting };
}
