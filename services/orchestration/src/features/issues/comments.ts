import { ask, select, statement } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import type { CommentView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestStart } from '../../lists/page';
import { pageWithinBytes, withinBytes } from '../../lists/page-bytes';
import { COMMENT } from '../../state/issues/insert-comment';
import { readCommentText } from '../mentions/read-comment-text';
import { addComment } from './add-comment';

export async function createComment(
  call: Call,
  issueId: string,
  { body }: { body: string },
): Promise<CommentView> {
  return addComment(call, issueId, await readCommentText(body));
}

/** Newest first; a page may be shorter than `limit`, and `X-Next-Cursor` says whether more follows. */
export async function listComments(
  call: Call,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<CommentView[]>> {
  const { limit } = query;
  const rows = await ask(call.db, readComments, { issueId, limit, ...newestStart(query) });
  return pageWithinBytes(rows, limit, ({ createdAt, id }) => [createdAt, id]);
}

const readComments = statement('list-comments', {
  takes: { issueId: 'uuid', beforeTime: 'time', beforeId: 'uuid', limit: 'int' },
  gives: { ...COMMENT, found: 'int' },
  sql: (p) => `
    SELECT ${select(COMMENT, 'c')}, c.found FROM (${withinBytes({
      rows: `SELECT * FROM issue_comment
        WHERE issue_id = ${p.issueId} AND (created_at, id) < (${p.beforeTime}, ${p.beforeId})`,
      order: 'created_at DESC, id DESC',
      bytes: 'octet_length(body)',
      limit: p.limit,
    })}) c`,
});
