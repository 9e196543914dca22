import type { Context } from '../../../context';
import type { ClaimedRun } from '../claim/claim-run';

/** Without a worker it is handed over in order; with one it looks as if that worker had died. */
const HAND_OVER = `
  UPDATE heartbeat_run SET worker_id = CASE WHEN $3::boolean THEN worker_id END,
    lease_expires_at = clock_timestamp(),
    process_host = NULL, process_pid = NULL, process_started_at = NULL
  WHERE id = $1::uuid AND epoch = $2 AND status = 'running' RETURNING 1`;

/**
 * Lets go of a run that a stopping worker cannot finish, so that another takes it at once (G30). A worker that
 * stops by a fault of its own may have it from this very run: that costs an attempt (contract 16), or the run
 * would bring down one worker after the other for ever.
 */
export async function handOverRun(
  context: Context,
  run: ClaimedRun,
  { isFault = false } = {},
): Promise<void> {
  const rows = await context.db.rows('hand-over-run', HAND_OVER, [run.id, run.epoch, isFault]);
  if (rows.length > 0) await context.hints.hint('heartbeat-runs', { runId: run.id });
}
