import type { Pool } from '@switchyard/db';
import { serving } from '../features/runs/claim/run-slots';
import type { Context } from '../kernel/context';
import { READY, readWaitingRuns, type StartRules, type WaitingRuns } from './waiting-runs';

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
  /** Unix time in seconds; 0 if no backup was recorded. */
  lastBackup: number;
  installed: number;
  waiting: Record<
    (typeof WAITING_KINDS)[number],
    {
      depth: number;
      oldestAgeSeconds: number;
      /** Longest wait in s of a row that a worker may take; 0 if there is none. */
      stalledSeconds: number;
    }
  >;
  unplaceable: WaitingRuns['unplaceable'];
}

export interface QueueRules extends StartRules {
  isPaused: boolean;
}

export function queueRules(context: Context): QueueRules {
  const { adapters, config } = context;
  return {
    runnerTypes: adapters.runnerTypes,
    maxRunning: config.maxRunningRunsPerCompany,
    hasPods: config.pods !== null,
    isPaused: config.workerPaused,
    slots: serving(context).slots,
  };
}

/**
 * Reads partial indexes of live rows, so the cost does not grow with history. A run waits for a
 * worker only if its agent has room and does not fetch runs itself.
 */
export const QUEUE_STATE = `
  WITH busy AS (
    SELECT agent_id, count(*) AS runs FROM heartbeat_run WHERE status = 'running' GROUP BY agent_id
  ), ready AS (${READY}
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
    coalesce((SELECT extract(epoch FROM completed_at) FROM last_backup WHERE singleton), 0)::float8 AS last_backup,
    (SELECT extract(epoch FROM min(started_at)) FROM _prisma_migrations)::float8 AS installed
  FROM found`;

interface Row {
  kind: (typeof WAITING_KINDS)[number];
  depth: number;
  age: number;
  queued: number;
  running: number;
  abandoned: number;
  last_backup: number;
  installed: number;
}

export async function readQueueState(pool: Pool, rules: QueueRules): Promise<QueueState> {
  const { rows } = await pool.query<Row>({
    name: 'queue-state',
    text: QUEUE_STATE,
    values: [rules.runnerTypes],
  });
  const runs = await readWaitingRuns(pool, rules);
  const waiting = Object.fromEntries(
    rows.map(({ kind, depth, age }) => {
      const stalled = kind === 'heartbeat-runs' ? runs.stalledSeconds : age;
      const stalledSeconds = rules.isPaused ? 0 : stalled;
      return [kind, { depth, oldestAgeSeconds: age, stalledSeconds }];
    }),
  ) as QueueState['waiting'];
  const { queued, running, abandoned, last_backup: lastBackup, installed } = rows[0] as Row;
  const { unplaceable } = runs;
  return { queued, running, abandoned, lastBackup, installed, waiting, unplaceable };
}
