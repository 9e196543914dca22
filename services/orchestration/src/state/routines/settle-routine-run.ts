import type { Transaction } from '@switchyard/db';

/**
 * A routine run ends with the issue it made: done completes it, cancelled cancels it (contract, "Routine
 * run"). In the issue's own transaction, so that the two never disagree.
 */
export async function settleRoutineRun(
  tx: Transaction,
  issue: { originRoutineRunId: string | null; status: string },
): Promise<void> {
  const { originRoutineRunId: runId, status } = issue;
  if (runId === null || (status !== 'done' && status !== 'cancelled')) return;
  const settled = status === 'done' ? 'completed' : 'cancelled';
  await tx.prisma.$executeRaw`
    UPDATE routine_run SET status = ${settled}, completed_at = clock_timestamp()
    WHERE id = ${runId}::uuid AND status = 'issue_created'`;
}
