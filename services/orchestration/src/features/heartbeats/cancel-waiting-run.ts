import { afterCommit, type HeartbeatRunModel, type Tx } from '@switchyard/db';
import { SYSTEM } from '../../access/actor';
import type { Context } from '../../context';
import { recordActivity } from '../activity/record-activity';
import type { BudgetReason } from '../agents/spent';

/** Ends a run that never started; with its row and its agent's locked by the caller. */
export async function cancelWaitingRun(
  context: Context,
  tx: Tx,
  run: HeartbeatRunModel,
  reason: BudgetReason,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE heartbeat_run SET status = 'cancelled', finished_at = clock_timestamp(),
      error_code = ${reason}, cancel_reason = ${reason}, cancel_requested_at = clock_timestamp()
    WHERE id = ${run.id}::uuid`;
  await recordActivity(tx, {
    companyId: run.companyId,
    actor: SYSTEM,
    runId: run.id,
    action: 'heartbeat.cancelled',
    entityType: 'heartbeat_run',
    entityId: run.id,
    details: { agentId: run.agentId, exitCode: null, errorCode: reason },
  });
  afterCommit(tx, () => context.metrics.runsFinished.inc({ status: 'cancelled' }));
}
