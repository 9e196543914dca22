import { anySql, ask, statement } from '@switchyard/db';
import type { Context } from '../../context';
import { claimRun } from './claim-run';
import type { ClaimedRun } from './claims/claimed-run';
import { finishRun } from './end-run';

/**
 * Lets go of a run whose agent goes on with it elsewhere: it needs no place of a worker until it is finished or its time is
 * over. One that was to be cancelled meanwhile is cancelled; one that has ended, or that another worker has, stays as it is.
 */
export async function detachRun(
  context: Context,
  run: ClaimedRun,
  withinMs: number,
): Promise<void> {
  const { id: runId, epoch } = run;
  const values = { runId, epoch, withinMs: Math.max(0, Math.round(withinMs)) };
  const [detached] = await ask(context.db, detach, values);
  if (!detached?.isCancelled) return;
  await finishRun(context, run, { status: 'cancelled', exitCode: null, errorCode: 'cancelled' });
}

const detach = statement('detach-run', {
  takes: { runId: 'uuid', epoch: 'int', withinMs: 'int' },
  gives: { isCancelled: 'bool' },
  sql: ({ runId, epoch, withinMs }) => `
    UPDATE heartbeat_run SET is_detached = true, worker_id = NULL,
      lease_expires_at = clock_timestamp() + ${withinMs} * interval '1 millisecond'
    WHERE id = ${runId} AND epoch = ${epoch} AND status = 'running'
    RETURNING cancel_requested_at IS NOT NULL AS "isCancelled"`,
});

const OVER = {
  from: 'heartbeat_run',
  where: `is_detached AND status = 'running' AND lease_expires_at < now()`,
  order: 'lease_expires_at',
};

/** SQL: whether the time of a detached run is over. */
export const hasDetachedRunsOverSql = anySql(OVER);

/**
 * Ends the detached runs whose time is over, or that were asked to stop, which ends their time. A sweep, because it must not
 * wait for a place of a worker. Safe with any number of sweepers.
 */
export async function endDetachedRuns(context: Context): Promise<void> {
  const rows = await ask(context.db, findOver, {});
  for (const run of rows) await claimRun(context, run, 'sweep', { hasPlace: false });
}

const BATCH = 100;

const findOver = statement('find-detached-runs-that-are-over', {
  takes: {},
  gives: { id: 'uuid', companyId: 'uuid', agentId: 'uuid' },
  sql: () => `
    SELECT id, company_id AS "companyId", agent_id AS "agentId" FROM ${OVER.from}
    WHERE ${OVER.where} ORDER BY ${OVER.order} LIMIT ${BATCH}`,
});
