import type { Transaction } from '@switchyard/db';
import { endWaitingRuns, type HaltReason } from './end-waiting-runs';

/**
 * The boundary that pause, terminate and archive are (guarantee G9): what waits is cancelled now and
 * never starts, also not after a resume; what runs is told to stop at its next lease renewal. The
 * caller holds the row locks of the agents, so no claim can slip between.
 */
export async function haltRuns(
  tx: Transaction,
  agentIds: string[],
  reason: HaltReason,
): Promise<void> {
  await endWaitingRuns(tx, agentIds, reason);
  await tx.prisma.$executeRaw`
    UPDATE heartbeat_run SET cancel_requested_at = clock_timestamp(), cancel_reason = ${reason}
    WHERE agent_id = ANY (${agentIds}::uuid[]) AND status = 'running' AND cancel_requested_at IS NULL`;
  await tx.prisma.$executeRaw`
    UPDATE agent_wakeup SET status = 'skipped', skip_reason = ${reason}
    WHERE agent_id = ANY (${agentIds}::uuid[]) AND status = 'pending'`;
}
