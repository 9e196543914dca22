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
    access: 'agent-or-board',
    query: listIssuesQuery,
    answer: z.array(issueSummary),
    handle: (call) => listIssues(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/issues',
    access: 'agent-or-board',
    body: createIssueBody,
    answer: issue,
    handle: (call) => createIssue(effects, call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId',
    access: 'agent-or-board',
    answer: issueDetail,
    handle: (call) => getIssueDetail(call.db.prisma, call.params.issueId as string),
  }),
  route({
    method: 'PATCH',
    path: '/api/issues/:issueId',
    access: 'agent-or-board',
    body: updateIssueBody,
    answer: updatedIssue,
    handle: (call) => updateIssue(effects, call, call.params.issueId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/checkout',
    access: 'agent-or-board',
    status: 200,
    body: checkoutIssueBody,
    answer: issue,
    handle: (call) => checkoutIssue(call, call.params.issueId as string, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/release',
    access: 'agent-or-board',
    status: 200,
    answer: issue,
    handle: (call) => releaseIssue(call, call.params.issueId as string),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/comments',
    access: 'agent-or-board',
    query: listCommentsQuery,
    answer: z.array(comment),
    handle: (call) => listComments(call, call.params.issueId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/issues/:issueId/comments',
    access: 'agent-or-board',
    body: createCommentBody,
    answer: comment,
    handle: (call) => createComment(effects, call, call.params.issueId as string, call.body.body),
  }),
];
