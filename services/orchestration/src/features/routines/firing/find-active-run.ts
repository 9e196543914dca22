import type { Transaction } from '@switchyard/db';

export interface ActiveRun {
  id: string;
  issueId: string;
  /** Whether somebody works on its issue or is about to. */
  isLive: boolean;
}

/**
 * The latest run of a routine whose issue is neither done nor cancelled (contract, "Routine run"). A wake
 * that waits for its admission counts as live: it is a heartbeat run in a moment.
 */
export async function findActiveRun(tx: Transaction, routineId: string): Promise<ActiveRun | null> {
  const [active] = await tx.prisma.$queryRaw<ActiveRun[]>`
    SELECT run.id, issue.id AS "issueId",
      EXISTS (SELECT 1 FROM heartbeat_run h WHERE h.company_id = run.company_id
        AND h.issue_id = issue.id AND h.status IN ('queued', 'running'))
      OR EXISTS (SELECT 1 FROM agent_wakeup w LEFT JOIN heartbeat_run h ON h.id = w.run_id
        WHERE w.company_id = run.company_id AND w.routine_run_id = run.id
          AND (w.status = 'pending' OR h.status IN ('queued', 'running'))) AS "isLive"
    FROM routine_run run JOIN issue ON issue.id = run.linked_issue_id
    WHERE run.routine_id = ${routineId}::uuid AND run.status = 'issue_created'
      AND issue.status NOT IN ('done', 'cancelled')
    ORDER BY run.created_at DESC, run.id DESC LIMIT 1`;
  return active ?? null;
}
