import { type Database, Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { DocumentSummaryView, DocumentView } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeCursor, newestCursor, page } from '../../lists/page';
import { type DocumentRow, presentDocumentSummary } from './present-document';

const COLUMNS = Prisma.sql`
  d.id, d.issue_id AS "issueId", d.key, latest.title, latest.format,
  d.latest_revision_id AS "latestRevisionId", d.latest_revision_number AS "latestRevisionNumber",
  first.created_by_agent_id AS "createdByAgentId", first.created_by_user_id AS "createdByUserId",
  latest.created_by_agent_id AS "updatedByAgentId", latest.created_by_user_id AS "updatedByUserId",
  d.created_at AS "createdAt", d.updated_at AS "updatedAt"`;

const FROM = Prisma.sql`
  FROM issue_document d
  JOIN document_revision first ON first.document_id = d.id AND first.revision_number = 1
  JOIN document_revision latest ON latest.id = d.latest_revision_id`;

export async function findDocument(
  db: Database,
  issueId: string,
  key: string,
): Promise<DocumentView | null> {
  const [row] = await db.prisma.$queryRaw<(DocumentRow & { body: string })[]>`
    SELECT ${COLUMNS}, latest.body ${FROM} WHERE d.issue_id = ${issueId}::uuid AND d.key = ${key}`;
  return row ? { ...presentDocumentSummary(row), body: row.body } : null;
}

/** @throws ApiError 404 */
export async function getDocument(
  db: Database,
  issueId: string,
  key: string,
): Promise<DocumentView> {
  const document = await findDocument(db, issueId, key);
  if (!document) throw notFound('document');
  return document;
}

/** Metadata of all documents of an issue (spec, "Get Issue": `documentSummaries`), newest first. */
export async function documentSummaries(
  db: Database,
  issueId: string,
): Promise<DocumentSummaryView[]> {
  const rows = await db.prisma.$queryRaw<DocumentRow[]>`
    SELECT ${COLUMNS} ${FROM} WHERE d.issue_id = ${issueId}::uuid
    ORDER BY d.created_at DESC, d.id DESC`;
  return rows.map(presentDocumentSummary);
}

export async function listDocuments(
  call: Call,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  const after = cursor
    ? Prisma.sql`AND (d.created_at, d.id) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`
    : Prisma.empty;
  const rows = await call.db.prisma.$queryRaw<DocumentRow[]>`
    SELECT ${COLUMNS} ${FROM} WHERE d.issue_id = ${issueId}::uuid ${after}
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${query.limit + 1}`;
  return page(rows, query.limit, presentDocumentSummary, newestCursor);
}
