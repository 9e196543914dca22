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
import { wakeOutcome } from './work/issues';

/** `board_question` stands beside the specification: anything an agent cannot decide on its own. */
export const APPROVAL_TYPES = ['approve_ceo_strategy', 'hire_agent', 'board_question'] as const;
/** `resubmitted` is passed through at once and stands in the activity (spec, "States, Approval"). */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'revision_requested',
  'resubmitted',
] as const;

const optionKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, _ and -, not first _ or -');

/** The payload of a `board_question`. Without options it asks for words. */
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
    /** The key of the option that the asker would choose. */
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
        message: `${key} is another option's key`,
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
  /** What the board answered to a question; null for what is no question or was not answered. */
  decision: z.object({ option: z.string().nullable(), note: z.string().nullable() }).nullable(),
  decidedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** What approving returns; `warnings` are those of the hired agent. */
export const approvedApproval = approval.extend({ warnings: agentWarnings });

/** An approval as lists show it: its payload may be large. */
export const approvalSummary = approval.omit({ payload: true });

const PAYLOAD =
  'Of a `board_question`: `{ title, body?, options?: [{ key, label, description? }], recommended?, issueIds? }`; of other types free.';

export const createApprovalBody = z
  .strictObject({
    type: z.enum(APPROVAL_TYPES),
    requestedByAgentId: id.optional(),
    payload: jsonObject.describe(PAYLOAD).optional(),
    issueIds: z.array(id).max(100).optional(),
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
 * What an agent thinks that the one to be hired should run. It is shown to the board as it was sent, so a credential belongs
 * into a secret, and is the draft's adapter once the board has approved.
 */
export const proposedAdapter = z.strictObject({
  adapterType: adapterTypeName,
  adapterConfig: jsonObject.default({}),
});

/** A draft's adapter may be settled by the board after the hire. */
export const createHireBody = createAgentBody.partial({ adapterType: true }).extend({
  issueIds: z.array(id).max(100).optional(),
  proposedAdapter: proposedAdapter.optional(),
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
    error: 'choose an option, write a note, or both',
  });
export const approveBody = decisionBody.extend({
  adapter: proposedAdapter
    .nullable()
    .optional()
    .describe('Of a hire: instead of the proposed adapter; null for neither'),
  budgetMonthlyCents: budgetCents
    .optional()
    .describe('Of a hire: its budget in cents of a UTC month; 0 is no limit'),
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
export const createApprovalCommentBody = z.strictObject({
  body: text(100_000),
  wake: z
    .boolean()
    .optional()
    .describe(
      'Whether a comment of a person wakes the agent that asked; absent: it does until the request is decided. Agents cannot send `true`',
    ),
});
/** Also says whom it woke, and why not. */
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
export type ResubmitBody = z.infer<typeof resubmitBody>;
