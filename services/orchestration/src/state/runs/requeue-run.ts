import { ask, type Database, statement } from '@switchyard/db';
import type { Context } from '../../context';
import type { ClaimedRun } from './claims/claimed-run';

/**
 * What it costs a run that its claim is let go of. `nothing`: a worker or runner stops in order. `loss`: what held it is
 * gone, though not because of anything that is known of the run. `attempt`: the run may have brought that about.
 */
export type ReleaseCost = 'nothing' | 'loss' | 'attempt';

/**
 * So many losses cost a run no attempt; each further one does. A run that brings down one node or runner after the other
 * would do so for ever otherwise.
 */
export const FREE_LOSSES = 10;

/**
 * SQL: the columns of a run whose claim is let go of. Without a worker it is handed over at no cost; with one it looks as
 * if that worker had died, which costs an attempt.
 */
export const releasedSql = (cost: string) => `
  worker_id = CASE WHEN ${cost} = 'attempt' OR (${cost} = 'loss' AND losses >= ${FREE_LOSSES})
    THEN worker_id END,
  losses = losses + (${cost} = 'loss')::int,
  lease_expires_at = clock_timestamp(), runner_instance = NULL, ticket_hash = NULL`;

/**
 * Lets go of a run that a stopping worker cannot finish, so that another takes it at once. A worker that stops by a fault
 * of its own may have it from this very run: that costs an attempt.
 */
export async function requeueRun(
  { db, hints }: Pick<Context, 'db' | 'hints'>,
  run: Pick<ClaimedRun, 'id' | 'epoch'>,
  { cost = 'nothing' }: { cost?: ReleaseCost } = {},
): Promise<void> {
  if (await releaseClaim(db, run, cost)) await hints.hint('heartbeat-runs', { runId: run.id });
}

/** The same without telling anybody. False when the claim is outdated. */
export async function releaseClaim(
  db: Database,
  { id: runId, epoch }: Pick<ClaimedRun, 'id' | 'epoch'>,
  cost: ReleaseCost,
): Promise<boolean> {
  const released = await ask(db, release, { runId, epoch, cost });
  return released.length > 0;
}

const release = statement('release-claim', {
  takes: { runId: 'uuid', epoch: 'int', cost: 'text' },
  gives: { id: 'uuid' },
  sql: ({ runId, epoch, cost }) => `
    UPDATE heartbeat_run SET ${releasedSql(cost)}
    WHERE id = ${runId} AND epoch = ${epoch} AND status = 'running' RETURNING id`,
});
