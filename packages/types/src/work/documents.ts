import { z } from 'zod';
import { id, optionalText, pageQuery, timestamp, title } from '../primitives';

export const DOCUMENT_KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const format = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be one lower-case word of up to 32 characters');

const author = { createdByAgentId: id.nullable(), createdByUserId: z.string().nullable() };

export const documentSummary = z.object({
  id,
  issueId: id,
  key: z.string(),
  title: z.string(),
  format: z.string(),
  latestRevisionId: id,
  latestRevisionNumber: z.int(),
  ...author,
  updatedByAgentId: id.nullable(),
  updatedByUserId: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const document = documentSummary.extend({ body: z.string() });

export const documentRevision = z.object({
  id,
  revisionNumber: z.int(),
  title: z.string(),
  format: z.string(),
  body: z.string(),
  ...author,
  createdByRunId: id.nullable(),
  createdAt: timestamp,
});

export const putDocumentBody = z.strictObject({
  title: title.optional(),
  format: format.optional(),
  body: optionalText(524_288),
  baseRevisionId: id.nullish(),
});

export const listDocumentsQuery = z.strictObject(pageQuery());
export const listDocumentRevisionsQuery = z.strictObject(pageQuery());

export type DocumentSummaryView = z.infer<typeof documentSummary>;
export type DocumentView = z.infer<typeof document>;
export type DocumentRevisionView = z.infer<typeof documentRevision>;
export type PutDocumentBody = z.infer<typeof putDocumentBody>;
