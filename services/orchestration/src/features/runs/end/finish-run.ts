import { inTransaction, systemCall } from '../../../call';
import type { Context } from '../../../context';
import { lockAgent } from '../../../state/agents/lock-agent';
import type { ClaimedRun } from '../claim/claim-run';
import { endRun, type RunEnd } from './end-run';

/**
 * Ends a claimed run. Answers false, and writes nothing, when the claim is outdated: another worker
 * has taken the run over or it has ended (guarantee G2).
 */
export async function finishRun(context: Context, run: ClaimedRun, end: RunEnd): Promise<boolean> {
  return inTransaction(systemCall(context, run.companyId), async (tx) => {
    const agent = await lockAgent(tx, run.agentId);
    const [current] = await tx.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM heartbeat_run
      WHERE id = ${run.id}::uuid AND epoch = ${run.epoch} AND status = 'running' FOR UPDATE`;
    if (!current) {
      context.metrics.staleWrites.inc();
      return false;
    }
    await endRun(tx, agent, run, end);
    return true;
  });
}
