import { z } from 'zod';
import { agentDetail, createAgentBody } from './agents';
import { id, jsonObject, optionalText, pageQuery, text, timestamp } from './primitives';

export const APPROVAL_TYPES = ['approve_ceo_strategy', 'hire_agent'] as const;
/** `resubmitted` is passed through at once and stands in the activity (spec, "States, Approval"). */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'revision_requested',
  'resubmitted',
] as const;

export const approval = z.object({
  id,
  companyId: id,
  type: z.enum(APPROVAL_TYPES),
  status: z.enum(APPROVAL_STATUSES),
  payload: z.record(z.string(), z.unknown()),
  requestedByAgentId: id.nullable(),
  requestedByUserId: z.string().nullable(),
  decidedByUserId: z.string().nullable(),
  decisionNote: z.string().nullable(),
  decidedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** An approval as lists show it: its payload may be large. */
export const approvalSummary = approval.omit({ payload: true });

export const createApprovalBody = z.strictObject({
  type: z.enum(APPROVAL_TYPES),
  requestedByAgentId: id.optional(),
  payload: jsonObject.optional(),
  issueIds: z.array(id).max(100).optional(),
});

/** A draft's adapter may be settled by the board after the hire. */
export const createHireBody = createAgentBody
  .partial({ adapterType: true })
  .extend({ issueIds: z.array(id).max(100).optional() });

export const hire = z.object({ agent: agentDetail, approval });

export const decisionBody = z.strictObject({
  decisionNote: optionalText(10_000).nullable().optional(),
});
export const resubmitBody = z.strictObject({ payload: jsonObject.optional() });

export const listApprovalsQuery = z.strictObject({
  ...pageQuery(),
  status: z.enum(APPROVAL_STATUSES).optional(),
});

export const listApprovalIssuesQuery = z.strictObject(pageQuery());

export const listIssueApprovalsQuery = z.strictObject(pageQuery());

export const approvalComment = z.object({
  id,
  approvalId: id,
  body: z.string(),
  authorAgentId: id.nullable(),
  authorUserId: z.string().nullable(),
  createdAt: timestamp,
});
export const createApprovalCommentBody = z.strictObject({ body: text(100_000) });

export type ApprovalView = z.infer<typeof approval>;
export type ApprovalCommentView = z.infer<typeof approvalComment>;
export type CreateApprovalBody = z.infer<typeof createApprovalBody>;
export type CreateHireBody = z.infer<typeof createHireBody>;
export type CreateApprovalCommentBody = z.infer<typeof createApprovalCommentBody>;
export type DecisionBody = z.infer<typeof decisionBody>;
export type ResubmitBody = z.infer<typeof resubmitBody>;
