import {
  document,
  documentRevision,
  documentSummary,
  listDocumentRevisionsQuery,
  listDocumentsQuery,
  putDocumentBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { deleteDocument } from './delete-document';
import { getDocument, listDocuments } from './documents';
import { listRevisions } from './list-revisions';
import { putDocument } from './put-document';

type Named = { issueId: string; key: string };

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
    handle: (call) => {
      const { issueId, key } = call.params as Named;
      return getDocument(call.db, issueId, key);
    },
  }),
  route({
    method: 'PUT',
    path: '/api/issues/:issueId/documents/:key',
    operation: 'putDocument',
    summary: 'Write a document: a new one, or the next revision of the one that the body names',
    errors: ['stale_revision'],
    access: 'agent-or-board',
    body: putDocumentBody,
    response: document,
    otherResponses: { 201: document },
    handle: (call) => {
      const { issueId, key } = call.params as Named;
      return putDocument(call, issueId, key, call.body);
    },
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/documents/:key/revisions',
    operation: 'listDocumentRevisions',
    summary: 'List the revisions of a document',
    access: 'agent-or-board',
    query: listDocumentRevisionsQuery,
    response: z.array(documentRevision),
    handle: (call) => {
      const { issueId, key } = call.params as Named;
      return listRevisions(call, issueId, key, call.query);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/issues/:issueId/documents/:key',
    operation: 'deleteDocument',
    summary: 'Delete a document with its revisions',
    access: 'board',
    handle: (call) => {
      const { issueId, key } = call.params as Named;
      return deleteDocument(call, issueId, key);
    },
  }),
];
