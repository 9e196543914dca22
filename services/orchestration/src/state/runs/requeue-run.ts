import { ask, type Database, statement } from '@switchyard/db';
import type { Context } from '../../kernel/context';
import type { ClaimedRun } from './claims/claimed-run';

/**
 * Cost of releasing a claim. `nothing`: a worker or runner stops normally. `loss`: the holder
 * disappeared, and no fault of the run is known. `attempt`: the run may have caused the loss.
 */
export type ReleaseCost = 'nothing' | 'loss' | 'attempt';

/** Number of losses that cost no attempt. The limit ends a run that crashes every node. */
export const FREE_LOSSES = 10;

/**
 * SQL: the columns of a released run. If `worker_id` stays set, the release costs an attempt, as
 * the death of that worker would.
 */
export const releasedSql = (cost: string) => `
  worker_id = CASE WHEN ${cost} = 'attempt' OR (${cost} = 'loss' AND losses >= ${FREE_LOSSES})
    THEN worker_id END,
  losses = losses + (${cost} = 'loss')::int,
  lease_expires_at = clock_timestamp(), runner_instance = NULL, ticket_hash = NULL`;

export async function requeueRun(
  { db, hints }: Pick<Context, 'db' | 'hints'>,
  run: Pick<ClaimedRun, 'id' | 'epoch'>,
  { cost = 'nothing' }: { cost?: ReleaseCost } = {},
): Promise<void> {
  if (await releaseClaim(db, run, cost)) await hints.hint('heartbeat-runs', { runId: run.id });
}

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
