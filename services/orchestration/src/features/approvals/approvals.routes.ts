import {
  answerBody,
  approval,
  approvalComment,
  approveBody,
  approvedApproval,
  createApprovalBody,
  createApprovalCommentBody,
  createdApprovalComment,
  createHireBody,
  decisionBody,
  hire,
  listApprovalIssuesQuery,
  listApprovalsQuery,
  listCommentsQuery,
  listedApproval,
  listedIssue,
  listIssueApprovalsQuery,
  resubmitBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import type { Decision } from '../../state/approvals/decisions';
import { listApprovalIssues } from '../issues/list-issues';
import { answerQuestion } from './answer-question';
import { createApprovalComment, listApprovalComments } from './approval-comments';
import { getApproval } from './approvals';
import { createApproval } from './create-approval';
import { createHire } from './create-hire';
import { approveApproval, decideApproval } from './decide-approval';
import { listApprovals, listIssueApprovals } from './list-approvals';
import { resubmitApproval } from './resubmit-approval';

const decision = (
  path: `/api/approvals/:approvalId/${string}`,
  to: Decision,
  described: { operation: string; summary: string },
) =>
  route({
    method: 'POST',
    path: path as '/api/approvals/:approvalId/reject',
    ...described,
    errors: to === 'rejected' ? ['not_pending'] : ['not_pending', 'semantic_error'],
    access: 'board',
    status: 200,
    body: decisionBody,
    response: approval,
    handle: (call) => decideApproval(call, call.params.approvalId, to, call.body),
  });

export const approvalRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/approvals',
    operation: 'listApprovals',
    summary: 'List the approvals of a company',
    access: 'agent-or-board',
    query: listApprovalsQuery,
    response: z.array(listedApproval),
    handle: (call) => listApprovals(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/approvals',
    operation: 'createApproval',
    summary: 'Request an approval of the board, or ask it a question',
    errors: ['not_own', 'storage_full'],
    access: 'agent-or-board',
    body: createApprovalBody,
    response: approval,
    handle: (call) => createApproval(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/agent-hires',
    operation: 'createHire',
    summary: "Propose to hire an agent, which requires the board's approval",
    errors: [
      'board_only',
      'name_taken',
      'semantic_error',
      'unknown_reference',
      'cross_company',
      'storage_full',
    ],
    access: 'agent-or-board',
    body: createHireBody,
    response: hire,
    handle: (call) => createHire(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId',
    operation: 'getApproval',
    summary: 'Read an approval',
    access: 'agent-or-board',
    response: approval,
    handle: (call) => getApproval(call, call.params.approvalId),
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/approve',
    operation: 'approveApproval',
    summary:
      'Approve a request; a hired agent receives the sent or proposed adapter and becomes idle; wakes the requesting agent',
    errors: ['not_pending', 'semantic_error', 'unknown_reference', 'cross_company', 'storage_full'],
    access: 'board',
    status: 200,
    body: approveBody,
    response: approvedApproval,
    handle: (call) => approveApproval(call, call.params.approvalId, call.body),
  }),
  decision('/api/approvals/:approvalId/reject', 'rejected', {
    operation: 'rejectApproval',
    summary:
      'Reject a request or dismiss a question; terminates a hired agent and wakes the requesting agent',
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/answer',
    operation: 'answerQuestion',
    summary: 'Answer a `board_question` with an option, a note or both; wakes the requesting agent',
    errors: ['not_pending', 'semantic_error'],
    access: 'board',
    status: 200,
    body: answerBody,
    response: approval,
    handle: (call) => answerQuestion(call, call.params.approvalId, call.body),
  }),
  decision('/api/approvals/:approvalId/request-revision', 'revision_requested', {
    operation: 'requestApprovalRevision',
    summary: 'Request a revision of an approval; wakes the requesting agent',
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/resubmit',
    operation: 'resubmitApproval',
    summary: 'Resubmit a revised approval',
    errors: [
      'not_own',
      'board_only',
      'conflict',
      'name_taken',
      'semantic_error',
      'unknown_reference',
      'cross_company',
      'storage_full',
    ],
    access: 'agent-or-board',
    status: 200,
    body: resubmitBody,
    response: approval,
    handle: (call) => resubmitApproval(call, call.params.approvalId, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/approvals',
    operation: 'listIssueApprovals',
    summary: 'List the approvals about an issue',
    access: 'agent-or-board',
    query: listIssueApprovalsQuery,
    response: z.array(listedApproval),
    handle: (call) => listIssueApprovals(call, call.params.issueId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId/issues',
    operation: 'listApprovalIssues',
    summary: 'List the issues of an approval',
    access: 'agent-or-board',
    query: listApprovalIssuesQuery,
    response: z.array(listedIssue),
    handle: (call) => listApprovalIssues(call, call.params.approvalId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId/comments',
    operation: 'listApprovalComments',
    summary: 'List the comments on an approval',
    access: 'agent-or-board',
    query: listCommentsQuery,
    response: z.array(approvalComment),
    handle: (call) => listApprovalComments(call, call.params.approvalId, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/comments',
    operation: 'createApprovalComment',
    summary: 'Comment on an approval',
    errors: ['storage_full'],
    access: 'agent-or-board',
    body: createApprovalCommentBody,
    response: createdApprovalComment,
    handle: (call) => createApprovalComment(call, call.params.approvalId, call.body),
  }),
];
