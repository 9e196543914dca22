import {
  document,
  documentRevision,
  documentSummary,
  listDocumentRevisionsQuery,
  listDocumentsQuery,
  putDocumentBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { deleteDocument } from './delete-document';
import { getDocument, listDocuments } from './documents';
import { listRevisions } from './list-revisions';
import { putDocument } from './put-document';

export const documentRoutes = [
  route({
    method: 'GET',
    path: '/api/issues/:issueId/documents',
    operation: 'listDocuments',
    summary: 'List the documents of an issue',
    access: 'agent-or-board',
    query: listDocumentsQuery,
    response: z.array(documentSummary),
    handle: (call) => listDocuments(call, call.params.issueId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/documents/:key',
    operation: 'getDocument',
    summary: 'Read a document',
    access: 'agent-or-board',
    response: document,
    handle: (call) => getDocument(call, call.params.issueId, call.params.key),
  }),
  route({
    method: 'PUT',
    path: '/api/issues/:issueId/documents/:key',
    operation: 'putDocument',
    summary: 'Write a document or its next revision',
    errors: ['stale_revision', 'storage_full'],
    access: 'agent-or-board',
    body: putDocumentBody,
    response: document,
    otherResponses: { 201: document },
    handle: (call) => putDocument(call, call.params.issueId, call.params.key, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/documents/:key/revisions',
    operation: 'listDocumentRevisions',
    summary: 'List the revisions of a document',
    access: 'agent-or-board',
    query: listDocumentRevisionsQuery,
    response: z.array(documentRevision),
    handle: (call) => listRevisions(call, call.params.issueId, call.params.key, call.query),
  }),
  route({
    method: 'DELETE',
    path: '/api/issues/:issueId/documents/:key',
    operation: 'deleteDocument',
    summary: 'Delete a document with its revisions',
    access: 'board',
    handle: (call) => deleteDocument(call, call.params.issueId, call.params.key),
  }),
];
