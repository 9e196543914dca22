import { Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { Call } from '../../call';
import { decodeCursor, pageOf } from '../../lists/page';
import { idsWithinBytes } from '../../lists/page-bytes';
import { presentRevision } from './present-document';

/**
 * The history of a document, newest first. A page may be shorter than `limit`, because revisions carry
 * their texts; `X-Next-Cursor` says whether more follows.
 * @throws ApiError 404
 */
export async function listRevisions(
  call: Call,
  issueId: string,
  key: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { prisma } = call.db;
  const below = Number(decodeCursor(query.cursor, ['int'])?.[0] ?? 2_147_483_647);
  const document = await prisma.issueDocument.findUnique({
    where: { issueId_key: { issueId, key } },
    select: { id: true },
  });
  if (!document) throw notFound('document');
  const large = {
    table: Prisma.sql`document_revision`,
    where: Prisma.sql`document_id = ${document.id}::uuid AND revision_number < ${below}`,
    order: Prisma.sql`revision_number DESC`,
    bytes: Prisma.sql`octet_length(body)`,
  };
  const { ids, hasMore } = await idsWithinBytes(call.db, large, query.limit);
  const rows = await prisma.documentRevision.findMany({
    where: { id: { in: ids } },
    orderBy: { revisionNumber: 'desc' },
  });
  return pageOf(rows, query.limit, hasMore, presentRevision, (row) => [row.revisionNumber]);
}
