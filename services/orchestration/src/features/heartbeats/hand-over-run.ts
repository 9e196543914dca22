import type { Context } from '../../context';
import type { ClaimedRun } from './claim-run';

/** Lets go of a run that a stopping worker cannot finish, so that another takes it at once (G30). */
const HAND_OVER = `
  UPDATE heartbeat_run SET worker_id = NULL, lease_expires_at = clock_timestamp(),
    process_host = NULL, process_pid = NULL, process_started_at = NULL
  WHERE id = $1::uuid AND epoch = $2 AND status = 'running' RETURNING 1`;

export async function handOverRun(context: Context, run: ClaimedRun): Promise<void> {
  const rows = await context.db.rows('hand-over-run', HAND_OVER, [run.id, run.epoch]);
  if (rows.length > 0) await context.hints.hint('heartbeat-runs', { runId: run.id });
}
