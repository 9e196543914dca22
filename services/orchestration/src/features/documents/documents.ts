import { ask, select, statement } from '@switchyard/db';
import { notFound, type Reply } from '@switchyard/server';
import type { DocumentSummaryView, DocumentView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestStart, page } from '../../lists/page';
import { DOCUMENT, DOCUMENT_SUMMARY, DOCUMENTS } from './document-columns';

export async function getDocument(
  { db }: Pick<Call, 'db'>,
  issueId: string,
  key: string,
): Promise<DocumentView> {
  const [document] = await ask(db, readDocument, { issueId, key });
  if (!document) throw notFound('document');
  return document;
}

export async function listDocuments(
  call: Call,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<DocumentSummaryView[]>> {
  const { limit } = query;
  const rows = await ask(call.db, readDocuments, {
    issueId,
    take: limit + 1,
    ...newestStart(query),
  });
  return page(
    rows,
    limit,
    (row) => row,
    ({ createdAt, id }) => [createdAt, id],
  );
}

const readDocument = statement('get-document', {
  takes: { issueId: 'uuid', key: 'text' },
  gives: DOCUMENT,
  sql: ({ issueId, key }) => `
    SELECT ${select(DOCUMENT, 'd')} FROM ${DOCUMENTS} d WHERE d.issue_id = ${issueId} AND d.key = ${key}`,
});

const readDocuments = statement('list-documents', {
  takes: { issueId: 'uuid', beforeTime: 'time', beforeId: 'uuid', take: 'int' },
  gives: DOCUMENT_SUMMARY,
  sql: (p) => `
    SELECT ${select(DOCUMENT_SUMMARY, 'd')} FROM ${DOCUMENTS} d
    WHERE d.issue_id = ${p.issueId} AND (d.created_at, d.id) < (${p.beforeTime}, ${p.beforeId})
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${p.take}`,
});
