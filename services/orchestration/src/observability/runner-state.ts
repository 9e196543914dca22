import type { Pool } from '@switchyard/db';

export interface RunnerState {
  drivers: Record<string, number>;
  runs: Record<string, number>;
}

/** Label that all companies' runners share, because customers' names must not become labels. */
export const OF_COMPANIES = 'of_companies';

export const PRESENT = `replaced_at IS NULL AND last_seen_at > now() - interval '2 minutes'`;

const RUNNER_STATE = `
  SELECT i.sandbox_driver AS driver,
    CASE WHEN i.runner_id IS NULL THEN i.name ELSE '${OF_COMPANIES}' END AS runner,
    (SELECT count(*)::int FROM heartbeat_run r
      WHERE r.runner_instance = i.id AND r.status = 'running') AS runs
  FROM runner_instance i WHERE ${PRESENT}`;

export async function readRunnerState(pool: Pool): Promise<RunnerState> {
  const { rows } = await pool.query<{ driver: string; runner: string; runs: number }>({
    name: 'runner-state',
    text: RUNNER_STATE,
  });
  const drivers: Record<string, number> = {};
  const runs: Record<string, number> = {};
  for (const row of rows) {
    drivers[row.driver] = (drivers[row.driver] ?? 0) + 1;
    runs[row.runner] = (runs[row.runner] ?? 0) + row.runs;
  }
  return { drivers, runs };
}

export async function assertRunnerPresent(pool: Pool): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'runner-present',
    text: `SELECT 1 FROM runner_instance WHERE runner_id IS NULL AND ${PRESENT} LIMIT 1`,
  });
  if (!rowCount) throw new Error('no runner is registered');
}
