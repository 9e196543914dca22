import type { Transaction } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { Tx } from '../../call';
import { recordWakeups } from '../wakeups/record-wakeups';

export interface Assignee {
  id: string;
  status: string;
  wakeOnAssignment: boolean;
}

/**
 * Reads the agent that work is given to and keeps it as it is until the commit, so that none is given
 * to somebody who is terminated meanwhile. Must come before the issue's lock. Null for ids that are not of
 * this company: the foreign key refuses them.
 */
export async function lockAssignee(
  tx: Transaction,
  companyId: string,
  agentId: string | null | undefined,
): Promise<Assignee | null> {
  if (!agentId) return null;
  const [assignee] = await tx.prisma.$queryRaw<Assignee[]>`
    SELECT id, status, wake_on_assignment AS "wakeOnAssignment" FROM agent
    WHERE id = ${agentId}::uuid AND company_id = ${companyId}::uuid FOR NO KEY UPDATE`;
  return assignee ?? null;
}

/** @throws ApiError 422 for an agent that is terminated or waits for approval */
export function assertAssignable(assignee: Assignee): void {
  if (assignee.status !== 'terminated' && assignee.status !== 'pending_approval') return;
  throw unprocessable('semantic_error', `a ${assignee.status} agent cannot be given work`, {
    field: 'assigneeAgentId',
    status: assignee.status,
  });
}

/** Wakes whoever asked to be woken by new work (`wakeOnAssignment`), unless it gave it to itself. */
export async function wakeAssignee(
  tx: Tx,
  issue: { id: string; status: string },
  assignee: Assignee,
): Promise<void> {
  const { actor } = tx;
  const isOwn = actor.type === 'agent' && actor.agentId === assignee.id;
  const isOver = issue.status === 'done' || issue.status === 'cancelled';
  if (!assignee.wakeOnAssignment || isOwn || isOver) return;
  await recordWakeups(tx, {
    agentIds: [assignee.id],
    source: 'assignment',
    issueId: issue.id,
  });
}
