import { ask, select, statement } from '@switchyard/db';
import { notFound, type Reply } from '@switchyard/server';
import type { DocumentRevisionView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { decodeCursor } from '../../lists/page';
import { pageWithinBytes, withinBytes } from '../../lists/page-bytes';

/**
 * Newest first. A page may be shorter than `limit`, because revisions contain their texts;
 * `X-Next-Cursor` is set if more follow.
 * @throws ApiError 404
 */
export async function listRevisions(
  call: Call,
  issueId: string,
  key: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<DocumentRevisionView[]>> {
  const { limit } = query;
  const below = Number(decodeCursor(query.cursor, ['int'])?.[0] ?? 2_147_483_647);
  const rows = await ask(call.db, readRevisions, { issueId, key, below, limit });
  if (rows.length === 0 && !(await isThere(call, issueId, key))) throw notFound('document');
  return pageWithinBytes(rows, limit, ({ revisionNumber }) => [revisionNumber]);
}

const isThere = async (call: Call, issueId: string, key: string) =>
  (await call.db.prisma.issueDocument.count({ where: { issueId, key } })) > 0;

const REVISION = {
  id: 'uuid',
  revisionNumber: 'int',
  title: 'text',
  format: 'text',
  body: 'text',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  createdByRunId: 'uuid?',
  createdAt: 'time',
} as const;

const readRevisions = statement('list-document-revisions', {
  takes: { issueId: 'uuid', key: 'text', below: 'int', limit: 'int' },
  gives: { ...REVISION, found: 'int' },
  sql: (p) => `
    SELECT ${select(REVISION, 'r')}, r.found FROM (${withinBytes({
      rows: `SELECT * FROM document_revision WHERE revision_number < ${p.below} AND document_id =
        (SELECT id FROM issue_document WHERE issue_id = ${p.issueId} AND key = ${p.key})`,
      order: 'revision_number DESC',
      bytes: 'octet_length(body)',
      limit: p.limit,
    })}) r`,
});
