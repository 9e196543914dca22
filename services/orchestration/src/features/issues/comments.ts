import { inTransaction } from '@switchyard/db';
import type { Answer } from '@switchyard/server';
import type { CommentView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { newestCursor, newestFirst, page } from '../../page';
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

export async function listComments(
  scope: Scope,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const where = { issueId, companyId: scope.companyId, ...after };
  const rows = await scope.db.prisma.issueComment.findMany({ where, orderBy, take });
  return page(rows, query.limit, presentComment, newestCursor);
}
