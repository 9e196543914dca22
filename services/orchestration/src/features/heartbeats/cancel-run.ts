import { inTransaction } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { HeartbeatRunView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { endWaitingRuns } from '../agents/end-waiting-runs';
import { lockAgent } from '../agents/lock-agent';
import { presentRun } from './present-run';

/**
 * Cancels a waiting run at once and tells a running one to stop; the latter is cancelled when its
 * processes are gone. Cancelling twice changes nothing.
 * @throws Refusal 409 when the run has ended otherwise
 */
export async function cancelRun(scope: Scope, runId: string): Promise<HeartbeatRunView> {
  const { companyId, actor } = scope;
  return inTransaction(scope.db, async (tx) => {
    const { agentId } = await tx.heartbeatRun.findUniqueOrThrow({
      where: { id: runId },
      select: { agentId: true },
    });
    await lockAgent(tx, agentId);
    await tx.$executeRaw`SELECT 1 FROM heartbeat_run WHERE id = ${runId}::uuid FOR UPDATE`;
    const run = await tx.heartbeatRun.findUniqueOrThrow({ where: { id: runId } });
    if (run.status === 'cancelled' || run.cancelRequestedAt) return presentRun(run);
    if (run.status !== 'queued' && run.status !== 'running') {
      throw conflict('conflict', `the run has ended: ${run.status}`, {
        status: run.status,
        retry: false,
      });
    }
    await recordActivity(tx, {
      companyId,
      actor,
      runId: scope.runId,
      action: 'heartbeat.cancel_requested',
      entityType: 'heartbeat_run',
      entityId: runId,
      details: { agentId, was: run.status },
    });
    if (run.status === 'queued') await endWaitingRuns(tx, [agentId], 'cancelled');
    else {
      await tx.$executeRaw`
        UPDATE heartbeat_run SET cancel_requested_at = clock_timestamp(), cancel_reason = 'cancelled'
        WHERE id = ${runId}::uuid`;
    }
    return presentRun(await tx.heartbeatRun.findUniqueOrThrow({ where: { id: runId } }));
  });
}
