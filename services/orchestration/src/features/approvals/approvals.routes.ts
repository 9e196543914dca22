import {
  approval,
  approvalComment,
  approvalSummary,
  createApprovalBody,
  createApprovalCommentBody,
  createHireBody,
  decisionBody,
  hire,
  issueSummary,
  listApprovalIssuesQuery,
  listApprovalsQuery,
  listCommentsQuery,
  resubmitBody,
} from '@switchyard/types';
import { z } from 'zod';
import type { Effects } from '../../context';
import { route } from '../../pipeline';
import { createApprovalComment, listApprovalComments } from './approval-comments';
import { getApproval, listApprovalIssues, listApprovals } from './approvals';
import { createApproval } from './create-approval';
import { createHire } from './create-hire';
import { type Decision, decideApproval } from './decide-approval';
import { resubmitApproval } from './resubmit-approval';

const decision = (
  effects: Effects,
  verb: string,
  to: Decision,
  described: { operation: string; summary: string },
) =>
  route({
    method: 'POST',
    path: `/api/approvals/:approvalId/${verb}`,
    ...described,
    refuses: ['not_pending'],
    access: 'board',
    status: 200,
    body: decisionBody,
    answer: approval,
    handle: (call) => {
      const note = call.body.decisionNote ?? null;
      return decideApproval(effects, call, call.params.approvalId as string, to, note);
    },
  });

export const approvalRoutes = (effects: Effects) => [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/approvals',
    operation: 'listApprovals',
    summary: 'List the approvals of a company',
    access: 'agent-or-board',
    query: listApprovalsQuery,
    answer: z.array(approvalSummary),
    handle: (call) => listApprovals(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/approvals',
    operation: 'createApproval',
    summary: 'Ask the board for an approval',
    refuses: ['not_own'],
    access: 'agent-or-board',
    body: createApprovalBody,
    answer: approval,
    handle: (call) => createApproval(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/agent-hires',
    operation: 'createHire',
    summary: "Propose to hire an agent; it waits for the board's approval",
    refuses: ['board_only', 'name_taken', 'semantic_error', 'unknown_reference', 'cross_company'],
    access: 'agent-or-board',
    body: createHireBody,
    answer: hire,
    handle: (call) => createHire(effects, call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId',
    operation: 'getApproval',
    summary: 'Read an approval',
    access: 'agent-or-board',
    answer: approval,
    handle: (call) => getApproval(call.db.prisma, call.params.approvalId as string),
  }),
  decision(effects, 'approve', 'approved', {
    operation: 'approveApproval',
    summary: 'Approve; a hired agent becomes idle and the agent that asked is woken',
  }),
  decision(effects, 'reject', 'rejected', {
    operation: 'rejectApproval',
    summary: 'Reject; a hired agent is terminated and the agent that asked is woken',
  }),
  decision(effects, 'request-revision', 'revision_requested', {
    operation: 'requestApprovalRevision',
    summary: 'Send an approval back to be revised; the agent that asked is woken',
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/resubmit',
    operation: 'resubmitApproval',
    summary: 'Hand in a revised approval again',
    refuses: [
      'not_own',
      'board_only',
      'conflict',
      'name_taken',
      'semantic_error',
      'unknown_reference',
      'cross_company',
    ],
    access: 'agent-or-board',
    status: 200,
    body: resubmitBody,
    answer: approval,
    handle: (call) =>
      resubmitApproval(effects, call, call.params.approvalId as string, call.body.payload),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId/issues',
    operation: 'listApprovalIssues',
    summary: 'List the issues that an approval is about',
    access: 'agent-or-board',
    query: listApprovalIssuesQuery,
    answer: z.array(issueSummary),
    handle: (call) => listApprovalIssues(call, call.params.approvalId as string, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId/comments',
    operation: 'listApprovalComments',
    summary: 'List the comments on an approval',
    access: 'agent-or-board',
    query: listCommentsQuery,
    answer: z.array(approvalComment),
    handle: (call) => listApprovalComments(call, call.params.approvalId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/comments',
    operation: 'createApprovalComment',
    summary: 'Comment on an approval',
    access: 'agent-or-board',
    body: createApprovalCommentBody,
    answer: approvalComment,
    handle: (call) => createApprovalComment(call, call.params.approvalId as string, call.body.body),
  }),
];
