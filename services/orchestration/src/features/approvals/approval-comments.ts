import { ask, select, statement } from '@switchyard/db';
import type { ApprovalCommentView, CreateApprovalCommentBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { newestStart } from '../../lists/page';
import { pageWithinBytes, withinBytes } from '../../lists/page-bytes';
import { APPROVAL_COMMENT, insertApprovalComment } from '../../state/approvals/insert-comment';

export async function createApprovalComment(
  call: Call,
  approvalId: string,
  { body }: CreateApprovalCommentBody,
): Promise<ApprovalCommentView> {
  return inTransaction(call, (tx) => insertApprovalComment(tx, approvalId, body));
}

/** Newest first; a page may be shorter than `limit`, and `X-Next-Cursor` says whether more follows. */
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
