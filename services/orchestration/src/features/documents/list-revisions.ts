import { Answer, notFound } from '@switchyard/server';
import type { Scope } from '../../access/actor';
import { decodeCursor, encodeCursor } from '../../page';
import { presentRevision } from './present-document';

/** Revisions carry their texts; a page ends where this many bytes of them are reached (guarantee G28). */
const PAGE_BYTES = 4 * 1024 * 1024;

interface Sized {
  revisionNumber: number;
  /** Bytes of the texts that stand before this one on the page. */
  before: number;
}

/**
 * The history of a document, newest first. A page may be shorter than `limit`; `X-Next-Cursor` says
 * whether more follows.
 * @throws Refusal 404
 */
export async function listRevisions(
  scope: Scope,
  issueId: string,
  key: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { prisma } = scope.db;
  const below = Number(decodeCursor(query.cursor, ['int'])?.[0] ?? 2_147_483_647);
  const document = await prisma.issueDocument.findUnique({
    where: { issueId_key: { issueId, key } },
    select: { id: true },
  });
  if (!document) throw notFound('document');
  const sizes = await prisma.$queryRaw<Sized[]>`
    SELECT revision_number AS "revisionNumber",
      (sum(octet_length(body)) OVER (ORDER BY revision_number DESC) - octet_length(body))::float8 AS before
    FROM document_revision
    WHERE document_id = ${document.id}::uuid AND revision_number < ${below}
    ORDER BY revision_number DESC LIMIT ${query.limit + 1}`;
  const shown = sizes.slice(0, query.limit).filter((each) => each.before < PAGE_BYTES);
  const last = shown.at(-1)?.revisionNumber ?? below;
  const rows = await prisma.documentRevision.findMany({
    where: { documentId: document.id, revisionNumber: { gte: last, lt: below } },
    orderBy: { revisionNumber: 'desc' },
  });
  return new Answer(rows.map(presentRevision), {
    headers: {
      'X-Limit': String(query.limit),
      ...(sizes.length > shown.length && { 'X-Next-Cursor': encodeCursor([last]) }),
    },
  });
}
