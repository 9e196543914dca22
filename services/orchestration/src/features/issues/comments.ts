import { ask, select, statement } from '@switchyard/db';
import { invalidField, notFound, type Reply } from '@switchyard/server';
import type { CommentView, CreateCommentBody, ListIssueCommentsQuery } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { type Cursor, decodeMarkedCursor, markOf } from '../../lists/page';
import { pageWithinBytes, withinBytes } from '../../lists/page-bytes';
import { COMMENT } from '../../state/issues/insert-comment';
import { assertMayWake } from '../../state/wakeups/assert-may-wake';
import { readCommentText } from '../mentions/read-comment-text';
import { addComment } from './add-comment';

export async function createComment(
  call: Call,
  issueId: string,
  { body, wake }: CreateCommentBody,
): Promise<CommentView> {
  assertMayWake(call, wake);
  return addComment(call, issueId, await readCommentText(body), { wake });
}

export async function getComment(call: Call, commentId: string): Promise<CommentView> {
  const [comment] = await ask(call.db, readComment, { commentId });
  if (!comment) throw notFound('comment');
  return comment;
}

const readComment = statement('get-comment', {
  takes: { commentId: 'uuid' },
  gives: COMMENT,
  sql: ({ commentId }) =>
    `SELECT ${select(COMMENT, 'c')} FROM issue_comment c WHERE c.id = ${commentId}`,
});

/**
 * A page may be shorter than `limit`; `X-Next-Cursor` is set if more comments follow.
 * @throws ApiError 400 for an invalid `after`
 */
export async function listComments(
  call: Call,
  issueId: string,
  query: ListIssueCommentsQuery,
): Promise<Reply<CommentView[]>> {
  const { limit, order, after } = query;
  const mark = markOf([order, after]);
  const cursor = decodeMarkedCursor(query.cursor, ['time', 'id'], mark);
  const first = after === undefined ? OLDEST : await placeOf(call, issueId, after);
  const [low, high] = order === 'asc' ? [cursor ?? first, NEWEST] : [first, cursor ?? NEWEST];
  const rows = await ask(call.db, order === 'asc' ? readOldest : readNewest, {
    issueId,
    limit,
    lowTime: low[0] as string,
    lowId: low[1] as string,
    highTime: high[0] as string,
    highId: high[1] as string,
  });
  return pageWithinBytes(rows, limit, ({ createdAt, id }) => [createdAt, id, mark]);
}

const OLDEST: Cursor = ['-infinity', '00000000-0000-0000-0000-000000000000'];
const NEWEST: Cursor = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

async function placeOf(call: Call, issueId: string, commentId: string): Promise<Cursor> {
  const [place] = await ask(call.db, findPlace, { commentId });
  if (place?.issueId !== issueId) {
    throw invalidField('after', 'must be the id of a comment on this issue');
  }
  return [place.createdAt, place.id];
}

const findPlace = statement('find-comment', {
  takes: { commentId: 'uuid' },
  gives: { issueId: 'uuid', createdAt: 'time', id: 'uuid' },
  sql: ({ commentId }) => `
    SELECT issue_id AS "issueId", created_at AS "createdAt", id FROM issue_comment
    WHERE id = ${commentId}`,
});

function declareComments(name: string, direction: 'ASC' | 'DESC') {
  return statement(name, {
    takes: {
      issueId: 'uuid',
      lowTime: 'time',
      lowId: 'uuid',
      highTime: 'time',
      highId: 'uuid',
      limit: 'int',
    },
    gives: { ...COMMENT, found: 'int' },
    sql: (p) => `
      SELECT ${select(COMMENT, 'c')}, c.found FROM (${withinBytes({
        rows: `SELECT * FROM issue_comment WHERE issue_id = ${p.issueId}
          AND (created_at, id) > (${p.lowTime}, ${p.lowId})
          AND (created_at, id) < (${p.highTime}, ${p.highId})`,
        order: `created_at ${direction}, id ${direction}`,
        bytes: 'octet_length(body)',
        limit: p.limit,
      })}) c`,
  });
}

const readNewest = declareComments('list-comments', 'DESC');
const readOldest = declareComments('list-comments-oldest-first', 'ASC');
