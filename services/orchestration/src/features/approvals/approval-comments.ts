import { ask, select, statement } from '@switchyard/db';
import type {
  CreateApprovalCommentBody,
  CreatedApprovalCommentView,
  WakeOutcome,
} from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { newestStart } from '../../lists/page';
import { pageWithinBytes, withinBytes } from '../../lists/page-bytes';
import { IS_UNDECIDED, ONLY_ISSUE } from '../../state/approvals/decisions';
import { APPROVAL_COMMENT, insertApprovalComment } from '../../state/approvals/insert-comment';
import { outcomeOf, skipped, TOO_MANY_HOPS } from '../../state/issues/assignees';
import { assertMayWake } from '../../state/wakeups/assert-may-wake';
import { foreseeWakes } from '../../state/wakeups/foresee-wake';
import { recordWakeups } from '../../state/wakeups/record-wakeups';

/**
 * Wakes the agent that asked if a person comments before the decision; `wake` overrides this.
 * @throws ApiError 400 if an agent sends `wake: true`
 */
export async function createApprovalComment(
  call: Call,
  approvalId: string,
  { body, wake }: CreateApprovalCommentBody,
): Promise<CreatedApprovalCommentView> {
  assertMayWake(call, wake);
  return inTransaction(call, async (tx) => {
    const comment = await insertApprovalComment(tx, approvalId, body);
    const isOfPerson = tx.actor.type === 'board' && wake !== false;
    return { ...comment, woken: isOfPerson ? await wakeAsker(tx, comment, wake === true) : [] };
  });
}

async function wakeAsker(
  tx: Tx,
  { id: commentId, approvalId }: { id: string; approvalId: string },
  evenIfDecided: boolean,
): Promise<WakeOutcome[]> {
  const [asked] = await ask(tx, findAsker, { approvalId, evenIfDecided });
  if (!asked?.agentId) return [];
  const { agentId, type, issueId } = asked;
  const [foreseen] = await foreseeWakes(tx.db, tx.companyId, [agentId]);
  if (!foreseen) return [];
  const recorded = await recordWakeups(tx, {
    agentIds: [agentId],
    source: 'approval',
    reason: 'approval_commented',
    issueId,
    payload: { approvalId, type, commentId },
  });
  if (recorded === 'hop_limit') return [skipped(agentId, TOO_MANY_HOPS)];
  return [outcomeOf(agentId, foreseen.prospect, recorded[0])];
}

const findAsker = statement('find-asker', {
  takes: { approvalId: 'uuid', evenIfDecided: 'bool' },
  gives: { agentId: 'uuid?', type: 'text', issueId: 'uuid?' },
  sql: (p) => `
    SELECT requested_by_agent_id AS "agentId", type, ${ONLY_ISSUE} AS "issueId" FROM approval
    WHERE id = ${p.approvalId}
      AND (${p.evenIfDecided} OR ${IS_UNDECIDED})`,
});

export async function listApprovalComments(
  call: Call,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { limit } = query;
  const values = { approvalId, limit, ...newestStart(query) };
  const rows = await ask(call.db, readApprovalComments, values);
  return pageWithinBytes(rows, limit, ({ createdAt, id }) => [createdAt, id]);
}

const readApprovalComments = statement('list-approval-comments', {
  takes: { approvalId: 'uuid', beforeTime: 'time', beforeId: 'uuid', limit: 'int' },
  gives: { ...APPROVAL_COMMENT, found: 'int' },
  sql: (p) => `
    SELECT ${select(APPROVAL_COMMENT, 'c')}, c.found FROM (${withinBytes({
      rows: `SELECT * FROM approval_comment
        WHERE approval_id = ${p.approvalId} AND (created_at, id) < (${p.beforeTime}, ${p.beforeId})`,
      order: 'created_at DESC, id DESC',
      bytes: 'octet_length(body)',
      limit: p.limit,
    })}) c`,
});
