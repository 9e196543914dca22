import {
  checkoutIssueBody,
  comment,
  createCommentBody,
  createdIssue,
  createIssueBody,
  issue,
  issueDetail,
  listCommentsQuery,
  listedIssue,
  listIssuesQuery,
  updatedIssue,
  updateIssueBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../pipeline';
import { checkoutIssue } from './checkout-issue';
import { createComment, listComments } from './comments';
import { createIssue } from './create-issue';
import { getIssue } from './get-issue';
import { listIssues } from './list-issues';
import { releaseIssue } from './release-issue';
import { updateIssue } from './update-issue';

export const issueRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/issues',
    operation: 'listIssues',
    summary: 'List the issues of a company, the most urgent first',
    access: 'agent-or-board',
    query: listIssuesQuery,
    response: z.array(listedIssue),
    handle: (call) => listIssues(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/issues',
    operation: 'createIssue',
    summary: 'Create an issue; its assignee is woken, unless it waits for other issues',
    errors: ['invalid_transition', 'semantic_error'],
    access: 'agent-or-board',
    body: createIssueBody,
    response: createdIssue,
    handle: (call) => createIssue(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId',
    operation: 'getIssue',
    summary: 'Read an issue with its project, goal, ancestors, blockers and documents',
    access: 'agent-or-board',
    response: issueDetail,
    handle: (call) => getIssue(call, call.params.issueId),
  }),
  route({
    method: 'PATCH',
    path: '/api/issues/:issueId',
    operation: 'updateIssue',
    summary: 'Change an issue, what it waits for and who has it, and comment on the change',
    errors: ['invalid_transition', 'checkout_required', 'checked_out', 'semantic_error', 'cycle'],
    access: 'agent-or-board',
    body: updateIssueBody,
    response: updatedIssue,
    handle: (call) => updateIssue(call, call.params.issueId, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/checkout',
    operation: 'checkoutIssue',
    summary: 'Claim an issue: of all who try, one gets it',
    errors: [
      'not_own',
      'forbidden',
      'checked_out',
      'status_mismatch',
      'not_invokable',
      'semantic_error',
      'unauthenticated',
      'token_expired',
    ],
    access: 'agent-or-board',
    status: 200,
    body: checkoutIssueBody,
    response: issue,
    handle: (call) => checkoutIssue(call, call.params.issueId, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/release',
    operation: 'releaseIssue',
    summary: 'Give a claimed issue back',
    errors: ['not_owner'],
    access: 'agent-or-board',
    status: 200,
    response: issue,
    handle: (call) => releaseIssue(call, call.params.issueId),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/comments',
    operation: 'listComments',
    summary: 'List the comments on an issue',
    access: 'agent-or-board',
    query: listCommentsQuery,
    response: z.array(comment),
    handle: (call) => listComments(call, call.params.issueId, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/comments',
    operation: 'createComment',
    summary: 'Comment on an issue; mentioned agents are woken',
    access: 'agent-or-board',
    body: createCommentBody,
    response: comment,
    handle: (call) => createComment(call, call.params.issueId, call.body),
  }),
];
