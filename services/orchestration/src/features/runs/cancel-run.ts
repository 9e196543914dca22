import { conflict } from '@switchyard/server';
import type { HeartbeatRunView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAgent } from '../../state/agents/lock-agent';
import { endWaitingRuns } from '../../state/runs/end-waiting-runs';
import { presentRun } from './present-run';

/**
 * Cancels a waiting run at once and tells a running one to stop; the latter is cancelled when its
 * processes are gone. Cancelling twice changes nothing.
 * @throws ApiError 409 when the run has ended otherwise
 */
export async function cancelRun(call: Call, runId: string): Promise<HeartbeatRunView> {
  return inTransaction(call, async (tx) => {
    const { agentId } = await tx.prisma.heartbeatRun.findUniqueOrThrow({
      where: { id: runId },
      select: { agentId: true },
    });
    await lockAgent(tx, agentId);
    await tx.prisma.$executeRaw`SELECT 1 FROM heartbeat_run WHERE id = ${runId}::uuid FOR UPDATE`;
    const run = await tx.prisma.heartbeatRun.findUniqueOrThrow({ where: { id: runId } });
    if (run.status === 'cancelled' || run.cancelRequestedAt) return presentRun(run);
    if (run.status !== 'queued' && run.status !== 'running') {
      throw conflict('conflict', `the run has ended: ${run.status}`, {
        status: run.status,
        retry: false,
      });
    }
    await tx.record('heartbeat.cancel_requested', runId, { agentId, was: run.status });
    if (run.status === 'queued') await endWaitingRuns(tx, [agentId], 'cancelled');
    else {
      await tx.prisma.$executeRaw`
        UPDATE heartbeat_run SET cancel_requested_at = clock_timestamp(), cancel_reason = 'cancelled'
        WHERE id = ${runId}::uuid`;
    }
    return presentRun(await tx.prisma.heartbeatRun.findUniqueOrThrow({ where: { id: runId } }));
  });
}
