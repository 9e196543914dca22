import { inTransaction, Prisma } from '@switchyard/db';
import type { Answer } from '@switchyard/server';
import type { CommentView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { NEWEST_FIRST, newestCursor, pageOf } from '../../page';
import { newestWithinBytes } from '../../page-bytes';
import { readCommentText } from '../mentions/read-comment-text';
import { addComment } from './add-comment';
import { presentComment } from './present-comment';

export async function createComment(
  effects: Effects,
  scope: Scope,
  issueId: string,
  body: string,
): Promise<CommentView> {
  const text = await readCommentText(body);
  return inTransaction(scope.db, (tx) => addComment(effects, tx, scope, issueId, text));
}

/** Newest first; a page may be shorter than `limit`, and `X-Next-Cursor` says whether more follows. */
export async function listComments(
  scope: Scope,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { prisma } = scope.db;
  const large = {
    table: Prisma.sql`issue_comment`,
    where: Prisma.sql`issue_id = ${issueId}::uuid AND company_id = ${scope.companyId}::uuid`,
    bytes: Prisma.sql`octet_length(body)`,
  };
  const { ids, hasMore } = await newestWithinBytes(prisma, large, query);
  const where = { id: { in: ids } };
  const rows = await prisma.issueComment.findMany({ where, orderBy: NEWEST_FIRST });
  return pageOf(rows, query.limit, hasMore, presentComment, newestCursor);
}
