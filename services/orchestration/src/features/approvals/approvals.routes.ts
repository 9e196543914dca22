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

const decision = (effects: Effects, verb: string, to: Decision) =>
  route({
    method: 'POST',
    path: `/api/approvals/:approvalId/${verb}`,
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
    access: 'agent-or-board',
    query: listApprovalsQuery,
    answer: z.array(approvalSummary),
    handle: (call) => listApprovals(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/approvals',
    access: 'agent-or-board',
    body: createApprovalBody,
    answer: approval,
    handle: (call) => createApproval(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/agent-hires',
    access: 'agent-or-board',
    body: createHireBody,
    answer: hire,
    handle: (call) => createHire(effects, call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId',
    access: 'agent-or-board',
    answer: approval,
    handle: (call) => getApproval(call.db.prisma, call.params.approvalId as string),
  }),
  decision(effects, 'approve', 'approved'),
  decision(effects, 'reject', 'rejected'),
  decision(effects, 'request-revision', 'revision_requested'),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/resubmit',
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
    access: 'agent-or-board',
    query: listApprovalIssuesQuery,
    answer: z.array(issueSummary),
    handle: (call) => listApprovalIssues(call, call.params.approvalId as string, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/approvals/:approvalId/comments',
    access: 'agent-or-board',
    query: listCommentsQuery,
    answer: z.array(approvalComment),
    handle: (call) => listApprovalComments(call, call.params.approvalId as string, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:approvalId/comments',
    access: 'agent-or-board',
    body: createApprovalCommentBody,
    answer: approvalComment,
    handle: (call) => createApprovalComment(call, call.params.approvalId as string, call.body.body),
  }),
];
