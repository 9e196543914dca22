import { commentPreview, createCommentBody, threadEntry, threadQuery } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { getThread } from './get-thread';
import { previewComment } from './preview-comment';

export const threadRoutes = [
  route({
    method: 'GET',
    path: '/api/issues/:issueId/thread',
    operation: 'getIssueThread',
    summary:
      'List what happened to an issue: comments, changes, runs, revisions of documents, attachments, approvals',
    access: 'agent-or-board',
    query: threadQuery,
    response: z.array(threadEntry),
    handle: (call) => getThread(call, call.params.issueId, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/comments/preview',
    operation: 'previewComment',
    summary: 'Say whom a comment would wake, and why it would not; nothing is written',
    access: 'agent-or-board',
    status: 200,
    body: createCommentBody,
    response: commentPreview,
    handle: (call) => previewComment(call, call.params.issueId, call.body),
  }),
];
