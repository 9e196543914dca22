import {
  checkoutIssueBody,
  comment,
  createCommentBody,
  createIssueBody,
  issue,
  issueDetail,
  issueSummary,
  listCommentsQuery,
  listIssuesQuery,
  updatedIssue,
  updateIssueBody,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { checkoutIssue } from './checkout-issue';
import { createComment, listComments } from './comments';
import { createIssue } from './create-issue';
import { getIssueDetail } from './get-issue-detail';
import { listIssues } from './list-issues';
import { releaseIssue } from './release-issue';
import { updateIssue } from './update-issue';

export const issueRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/issues',
    operation: 'listIssues',
    summary: 'List the issues of a company, the most urgent first',
    access: 'agent-or-board',
    query: listIssuesQuery,
    answer: z.array(issueSummary),
    handle: (call) => listIssues(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/issues',
    operation: 'createIssue',
    summary: 'Create an issue',
    refuses: ['invalid_transition', 'semantic_error'],
    access: 'agent-or-board',
    body: createIssueBody,
    answer: issue,
    handle: (call) => createIssue(effects, call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId',
    operation: 'getIssue',
    summary: 'Read an issue with its project, goal, ancestors and documents',
    access: 'agent-or-board',
    answer: issueDetail,
    handle: (call) => getIssueDetail(call.db.prisma, call.params.issueId as string),
  }),
  route({
    method: 'PATCH',
    path: '/api/issues/:issueId',
    operation: 'updateIssue',
    summary: 'Change an issue, and comment on the change',
    refuses: ['invalid_transition', 'checkout_required', 'checked_out', 'semantic_error', 'cycle'],
    access: 'agent-or-board',
    body: updateIssueBody,
    answer: updatedIssue,
    handle: (call) => updateIssue(effects, call, call.params.issueId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/checkout',
    operation: 'checkoutIssue',
    summary: 'Claim an issue: of all who try, one gets it',
    refuses: [
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
    answer: issue,
    handle: (call) => checkoutIssue(call, call.params.issueId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/release',
    operation: 'releaseIssue',
    summary: 'Give a claimed issue back',
    refuses: ['not_owner'],
    access: 'agent-or-board',
    status: 200,
    answer: issue,
    handle: (call) => releaseIssue(call, call.params.issueId as string),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/comments',
    operation: 'listComments',
    summary: 'List the comments on an issue',
    access: 'agent-or-board',
    query: listCommentsQuery,
    answer: z.array(comment),
    handle: (call) => listComments(call, call.params.issueId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/comments',
    operation: 'createComment',
    summary: 'Comment on an issue; mentioned agents are woken',
    access: 'agent-or-board',
    body: createCommentBody,
    answer: comment,
    handle: (call) => createComment(effects, call, call.params.issueId as string, call.body.body),
  }),
];
