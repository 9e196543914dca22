import { commentPreview, createCommentBody, threadEntry, threadQuery } from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { getThread } from './get-thread';
import { previewComment } from './preview-comment';

export const threadRoutes = [
  route({
    method: 'GET',
    path: '/api/issues/:issueId/thread',
    operation: 'getIssueThread',
    summary:
      "List an issue's comments, changes, runs, document revisions, attachments and approvals by time",
    access: 'agent-or-board',
    query: threadQuery,
    response: z.array(threadEntry),
    handle: (call) => getThread(call, call.params.issueId, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/comments/preview',
    operation: 'previewComment',
    summary: 'Preview which agents a comment would wake, without storing it',
    access: 'agent-or-board',
    status: 200,
    body: createCommentBody,
    response: commentPreview,
    handle: (call) => previewComment(call, call.params.issueId, call.body),
  }),
];
