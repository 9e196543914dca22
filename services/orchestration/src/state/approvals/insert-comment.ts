import { ask, newId, type RowOf, select, statement } from '@switchyard/db';
import { createdBy } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { assertTextFits } from '../companies/text-quota';

export const APPROVAL_COMMENT = {
  id: 'uuid',
  approvalId: 'uuid',
  body: 'text',
  authorAgentId: 'uuid?',
  authorUserId: 'text?',
  createdAt: 'time',
} as const;

export async function insertApprovalComment(
  tx: Tx,
  approvalId: string,
  body: string,
): Promise<RowOf<typeof insertComment>> {
  const { createdByAgentId: authorAgentId, createdByUserId: authorUserId } = createdBy(tx);
  const { companyId } = tx;
  const values = { id: newId(), companyId, approvalId, body, authorAgentId, authorUserId };
  const [comment] = await ask(tx, insertComment, values);
  await assertTextFits(tx);
  await tx.record('approval.commented', approvalId, { commentId: values.id });
  return comment as RowOf<typeof insertComment>;
}

const insertComment = statement('insert-approval-comment', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    approvalId: 'uuid',
    body: 'text',
    authorAgentId: 'uuid?',
    authorUserId: 'text?',
  },
  gives: APPROVAL_COMMENT,
  sql: (p) => `
    INSERT INTO approval_comment (id, company_id, approval_id, body, author_agent_id, author_user_id)
    VALUES (${p.id}, ${p.companyId}, ${p.approvalId}, ${p.body}, ${p.authorAgentId},
      ${p.authorUserId})
    RETURNING ${select(APPROVAL_COMMENT, 'approval_comment')}`,
});
