import type { DocumentRevisionModel } from '@switchyard/db';
import type { DocumentRevisionView, DocumentSummaryView } from '@switchyard/types';

/** A document with the authors of its first and its latest revision, and the latter's title and format. */
export interface DocumentRow {
  id: string;
  issueId: string;
  key: string;
  title: string;
  format: string;
  latestRevisionId: string;
  latestRevisionNumber: number;
  createdByAgentId: string | null;
  createdByUserId: string | null;
  updatedByAgentId: string | null;
  updatedByUserId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export function presentDocumentSummary(row: DocumentRow): DocumentSummaryView {
  return {
    id: row.id,
    issueId: row.issueId,
    key: row.key,
    title: row.title,
    format: row.format,
    latestRevisionId: row.latestRevisionId,
    latestRevisionNumber: row.latestRevisionNumber,
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    updatedByAgentId: row.updatedByAgentId,
    updatedByUserId: row.updatedByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentRevision(row: DocumentRevisionModel): DocumentRevisionView {
  return {
    id: row.id,
    revisionNumber: row.revisionNumber,
    title: row.title,
    format: row.format,
    body: row.body,
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    createdByRunId: row.createdByRunId,
    createdAt: row.createdAt.toISOString(),
  };
}
