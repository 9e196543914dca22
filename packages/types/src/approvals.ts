import { z } from 'zod';
import { adapterTypeName, agentDetail, agentWarnings, createAgentBody } from './agents';
import {
  budgetCents,
  id,
  jsonObject,
  optionalText,
  pageQuery,
  text,
  timestamp,
  title,
} from './primitives';
import { plainWords } from './words/plain-words';
import { deadlineFields, deadlineView, optionKey } from './work/deadlines';
import { wakeOutcome } from './work/issues';

export const APPROVAL_TYPES = ['approve_ceo_strategy', 'hire_agent', 'board_question'] as const;
/**
 * `resubmitted` becomes `pending` immediately, and only appears in the activity (spec, "States,
 * Approval").
 */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'revision_requested',
  'resubmitted',
] as const;

export const boardQuestion = z
  .strictObject({
    title,
    body: text(20_000).optional(),
    options: z
      .array(
        z.strictObject({
          key: optionKey,
          label: text(200),
          description: text(2_000).optional(),
        }),
      )
      .min(1)
      .max(20)
      .optional(),
    recommended: optionKey.optional(),
    issueIds: z.array(id).max(100).optional(),
  })
  .superRefine(({ options = [], recommended }, context) => {
    const keys = options.map(({ key }) => key);
    keys.forEach((key, at) => {
      if (keys.indexOf(key) === at) return;
      context.addIssue({
        code: 'custom',
        path: ['options', at, 'key'],
        message: `must be unique: another option has the key ${key}`,
      });
    });
    if (recommended === undefined || keys.includes(recommended)) return;
    context.addIssue({
      code: 'custom',
      path: ['recommended'],
      message: 'must be the key of an option',
    });
  });

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
  decision: z.object({ option: z.string().nullable(), note: z.string().nullable() }).nullable(),
  decidedAt: timestamp.nullable(),
  ...deadlineView,
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const approvedApproval = approval.extend({ warnings: agentWarnings });

export const approvalSummary = approval.omit({ payload: true });

const PAYLOAD =
  'For a `board_question`: `{ title, body?, options?: [{ key, label, description? }], recommended?, issueIds? }`; any object for other types.';

const partialDeadline = z.object(deadlineFields).partial().shape;

export const createApprovalBody = z
  .strictObject({
    type: z.enum(APPROVAL_TYPES),
    requestedByAgentId: id.optional(),
    payload: jsonObject.describe(PAYLOAD).optional(),
    issueIds: z.array(id).max(100).optional(),
    ...partialDeadline,
  })
  .superRefine(({ type, payload = {} }, context) => {
    if (type !== 'board_question') return;
    const { error } = boardQuestion.safeParse(payload, { error: plainWords });
    for (const issue of error?.issues ?? []) {
      const inPayload = { ...issue, path: ['payload', ...issue.path] };
      context.addIssue(inPayload as Parameters<typeof context.addIssue>[0]);
    }
  });

/**
 * The adapter that the requesting agent proposes; the draft gets it if the board approves. The
 * board sees the configuration unmasked, so credentials must be in secrets.
 */
export const proposedAdapter = z.strictObject({
  adapterType: adapterTypeName,
  adapterConfig: jsonObject.default({}),
});

export const createHireBody = createAgentBody.partial({ adapterType: true }).extend({
  issueIds: z.array(id).max(100).optional(),
  proposedAdapter: proposedAdapter.optional(),
  ...partialDeadline,
});

export const hire = z.object({ agent: agentDetail, approval });

export const decisionBody = z.strictObject({
  decisionNote: optionalText(10_000).nullable().optional(),
});
export const answerBody = z
  .strictObject({ option: optionKey, note: text(10_000) })
  .partial()
  .refine(({ option, note }) => option !== undefined || note !== undefined, {
    path: ['note'],
    error: 'send option, note or both',
  });
export const approveBody = decisionBody.extend({
  adapter: proposedAdapter
    .nullable()
    .optional()
    .describe('Replaces the proposed adapter of a hire; null chooses no adapter'),
  budgetMonthlyCents: budgetCents
    .optional()
    .describe('Budget of a hire in cents per UTC month; 0: no limit'),
});
export const withdrawBody = z.strictObject({ reason: text(10_000).optional() });
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
export const createApprovalCommentBody = z.strictObject({
  body: text(100_000),
  wake: z
    .boolean()
    .optional()
    .describe(
      'Whether a comment by a person wakes the requesting agent; default: true until the request is decided. Agents cannot send `true`',
    ),
});
export const createdApprovalComment = approvalComment.extend({ woken: z.array(wakeOutcome) });

export type ApprovalView = z.infer<typeof approval>;
export type ApprovedApprovalView = z.infer<typeof approvedApproval>;
export type CreatedApprovalCommentView = z.infer<typeof createdApprovalComment>;
export type ApprovalCommentView = z.infer<typeof approvalComment>;
export type CreateApprovalBody = z.infer<typeof createApprovalBody>;
export type CreateHireBody = z.infer<typeof createHireBody>;
export type CreateApprovalCommentBody = z.infer<typeof createApprovalCommentBody>;
export type BoardQuestion = z.infer<typeof boardQuestion>;
export type AnswerBody = z.infer<typeof answerBody>;
export type ProposedAdapter = z.infer<typeof proposedAdapter>;
export type ApproveBody = z.infer<typeof approveBody>;
export type DecisionBody = z.infer<typeof decisionBody>;
export type WithdrawBody = z.infer<typeof withdrawBody>;
export type ResubmitBody = z.infer<typeof resubmitBody>;
