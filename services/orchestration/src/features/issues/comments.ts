import { Prisma } from '@switchyard/db';
import type { CommentView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { NEWEST_FIRST, newestCursor, pageOf } from '../../lists/page';
import { newestWithinBytes } from '../../lists/page-bytes';
import { readCommentText } from '../mentions/read-comment-text';
import { addComment } from './add-comment';
import { presentComment } from './present-comment';

export async function createComment(
  call: Call,
  issueId: string,
  body: string,
): Promise<CommentView> {
  const text = await readCommentText(body);
  return inTransaction(call, (tx) => addComment(tx, issueId, text));
}

/** Newest first; a page may be shorter than `limit`, and `X-Next-Cursor` says whether more follows. */
export async function listComments(
  call: Call,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { prisma } = call.db;
  const large = {
    table: Prisma.sql`issue_comment`,
    where: Prisma.sql`issue_id = ${issueId}::uuid AND company_id = ${call.companyId}::uuid`,
    bytes: Prisma.sql`octet_length(body)`,
  };
  const { ids, hasMore } = await newestWithinBytes(call.db, large, query);
  const where = { id: { in: ids } };
  const rows = await prisma.issueComment.findMany({ where, orderBy: NEWEST_FIRST });
  return pageOf(rows, query.limit, hasMore, presentComment, newestCursor);
}
