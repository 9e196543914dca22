import { ask, statement } from '@switchyard/db';
import type { Context } from '../../context';
import type { ClaimedRun } from './claim-run';

/**
 * Lets go of a run that a stopping worker cannot finish, so that another takes it at once. A worker that stops by a fault
 * of its own may have it from this very run: that costs an attempt, or the run would bring down one worker after the other
 * for ever.
 */
export async function requeueRun(
  { db, hints }: Pick<Context, 'db' | 'hints'>,
  { id: runId, epoch }: Pick<ClaimedRun, 'id' | 'epoch'>,
  { isFault = false } = {},
): Promise<void> {
  const [released] = await ask(db, releaseClaim, { runId, epoch, isFault });
  if (released) await hints.hint('heartbeat-runs', { runId });
}

/** Without a worker it is handed over in order; with one it looks as if that worker had died. */
const releaseClaim = statement('release-claim', {
  takes: { runId: 'uuid', epoch: 'int', isFault: 'bool' },
  gives: { id: 'uuid' },
  sql: ({ runId, epoch, isFault }) => `
    UPDATE heartbeat_run SET worker_id = CASE WHEN ${isFault} THEN worker_id END,
      lease_expires_at = clock_timestamp(), runner_instance = NULL, ticket_hash = NULL,
      process_host = NULL, process_pid = NULL, process_started_at = NULL
    WHERE id = ${runId} AND epoch = ${epoch} AND status = 'running' RETURNING id`,
});
