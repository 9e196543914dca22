import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { Tx } from '../../call';
import { recordWakeups } from '../wakeups/record-wakeups';
import { isOver } from './issue-status';

export type Assignee = RowOf<typeof lockAssigneeRow>;

/**
 * Reads the agent that work is given to and keeps it as it is until the commit, so that none is given to one that is
 * terminated meanwhile. Comes before the issue's lock. Null for ids that are not of this company: the foreign key refuses
 * them.
 */
export async function lockAssignee(
  tx: Database,
  companyId: string,
  agentId: string | null | undefined,
): Promise<Assignee | null> {
  if (!agentId) return null;
  const [assignee] = await ask(tx, lockAssigneeRow, { companyId, agentId });
  return assignee ?? null;
}

/** @throws ApiError 422 for an agent that is terminated or waits for approval */
export function assertAssignable({ status }: Pick<Assignee, 'status'>): void {
  if (status !== 'terminated' && status !== 'pending_approval') return;
  throw unprocessable('semantic_error', `a ${status} agent cannot be given work`, {
    field: 'assigneeAgentId',
    status,
  });
}

/** Wakes an agent that asks to be woken by new work (`wakeOnAssignment`), unless it gave the work to itself. */
export async function wakeAssignee(
  tx: Tx,
  issue: { id: string; status: string },
  { id, wakeOnAssignment }: Pick<Assignee, 'id' | 'wakeOnAssignment'>,
): Promise<void> {
  const { actor } = tx;
  const isOwn = actor.type === 'agent' && actor.agentId === id;
  if (!wakeOnAssignment || isOwn || isOver(issue.status)) return;
  await recordWakeups(tx, { agentIds: [id], source: 'assignment', issueId: issue.id });
}

/** The lock alone too, for a statement that reads the agent behind it. */
export const lockAssigneeRow = statement('lock-assignee', {
  takes: { companyId: 'uuid', agentId: 'uuid' },
  gives: { id: 'uuid', status: 'text', wakeOnAssignment: 'bool' },
  sql: ({ companyId, agentId }) => `
    SELECT id, status, wake_on_assignment AS "wakeOnAssignment" FROM agent
    WHERE id = ${agentId} AND company_id = ${companyId} FOR NO KEY UPDATE`,
});
