import { z } from 'zod';
import { id, text, timestamp } from '../primitives';

export const optionKey = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must have 1 to 64 of the characters a-z, 0-9, _ and -, beginning with a letter or digit',
  );

const userId = z
  .union([id, z.literal('local-board')], 'must be the id of a member')
  .describe('A member of the company that may decide, or `local-board` in local mode');

export const onDeadline = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('answer'),
    option: optionKey,
    note: text(10_000).optional(),
  }),
  z.strictObject({ action: z.literal('reject'), note: text(10_000).optional() }),
  z.strictObject({ action: z.literal('ask'), userId }),
  z.strictObject({ action: z.literal('wait') }),
]);

const escalationStep = z.strictObject({
  userId,
  afterSec: z
    .int()
    .min(1)
    .max(31 * 86_400)
    .describe('Seconds after the previous step, or after the request for the first step'),
});

export const deadlineFields = {
  deadlineAt: timestamp.nullable().describe('Must be in the future, at most one year'),
  onDeadline: onDeadline
    .nullable()
    .describe('Carried out at the deadline; default: wait. Only a question can be answered'),
  escalation: z.array(escalationStep).max(10).describe('Members to ask one after another'),
};

export const deadlineView = {
  deadlineAt: timestamp.nullable(),
  onDeadline: onDeadline.nullable(),
  deadlinePassedAt: timestamp
    .nullable()
    .describe('Time at which `onDeadline` was carried out; null before'),
  escalation: z.array(
    z.object({ userId: z.string(), afterSec: z.int(), askedAt: timestamp.nullable() }),
  ),
};

export const updateApprovalBody = z.strictObject(deadlineFields).partial();

export type DeadlineFields = z.infer<typeof updateApprovalBody>;
export type OnDeadline = z.infer<typeof onDeadline>;
export type EscalationStep = z.infer<typeof deadlineView.escalation>[number];
