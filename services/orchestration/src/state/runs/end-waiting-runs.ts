import type { Transaction } from '@switchyard/db';
import { recordRunEnds } from './record-run-ends';

/** Why runs are halted; shown as the run's `errorCode`. */
export type HaltReason =
  | 'agent_paused'
  | 'agent_terminated'
  | 'company_paused'
  | 'company_archived'
  | 'agent_budget'
  | 'company_budget'
  | 'cancelled';

/**
 * The one way in which runs end that have not begun: all that wait for these agents, of which each has one
 * at most. The caller holds the row locks of the agents, so no claim can slip between.
 */
export async function endWaitingRuns(
  tx: Transaction,
  agentIds: string[],
  reason: HaltReason,
): Promise<void> {
  const ended = await tx.prisma.$queryRaw<{ id: string; companyId: string; agentId: string }[]>`
    UPDATE heartbeat_run SET status = 'cancelled', finished_at = clock_timestamp(),
      error_code = ${reason}, cancel_reason = ${reason}, cancel_requested_at = clock_timestamp()
    WHERE agent_id = ANY (${agentIds}::uuid[]) AND status = 'queued'
    RETURNING id, company_id AS "companyId", agent_id AS "agentId"`;
  const end = { status: 'cancelled', exitCode: null, errorCode: reason } as const;
  await recordRunEnds(
    tx,
    ended.map((run) => ({ ...run, ...end })),
  );
}
