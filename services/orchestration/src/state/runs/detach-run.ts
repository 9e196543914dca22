import { anySql, ask, statement } from '@switchyard/db';
import type { Context } from '../../kernel/context';
import { claimRun } from './claim-run';
import type { ClaimedRun } from './claims/claimed-run';
import { finishRun } from './end-run';

/**
 * Detaches a run that its agent continues outside the worker: the run needs no slot until it ends
 * or times out. Cancels the run if its cancellation was requested. Does not change a run that has
 * ended or that another worker has.
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

export const hasDetachedRunsOverSql = anySql(OVER);

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
