import { z } from 'zod';
import { activity } from '../activity';
import { commaList, id, pageQuery, queryTime, timestamp } from '../primitives';
import { attachment } from './attachments';
import { documentRevision } from './documents';
import { comment, mentionOutcome } from './issues';
import { listedApproval, listedRun } from './listed';

export const THREAD_KINDS = [
  'comment',
  'change',
  'run',
  'revision',
  'attachment',
  'approval',
] as const;

const entry = {
  id,
  at: timestamp.describe('Creation time; the thread is sorted by it'),
};
const authorName = z.string().nullable().describe('The name of the agent or person');

export const threadEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('comment'), ...entry, authorName, comment }),
  z.object({
    kind: z.literal('change'),
    ...entry,
    authorName,
    change: activity,
  }),
  z.object({
    kind: z.literal('run'),
    ...entry,
    run: listedRun.omit({ issue: true }).extend({
      issueId: id
        .nullable()
        .describe(
          'Issue of the run if a wake for this issue joined a run of another issue; otherwise null',
        ),
    }),
  }),
  z.object({
    kind: z.literal('revision'),
    ...entry,
    authorName,
    revision: documentRevision
      .omit({ body: true, createdAt: true })
      .extend({ documentId: id, key: z.string() }),
  }),
  z.object({ kind: z.literal('attachment'), ...entry, authorName, attachment }),
  z.object({ kind: z.literal('approval'), ...entry, approval: listedApproval }),
]);

export const threadQuery = z.strictObject({
  ...pageQuery(),
  order: z.enum(['asc', 'desc']).default('desc'),
  kinds: commaList(THREAD_KINDS).optional(),
  since: queryTime.optional().describe('Lists only entries from this time on'),
});

export const commentPreview = z.object({
  mentions: z.array(mentionOutcome),
  woken: z.array(mentionOutcome).describe('Like `woken` in the response to a comment'),
  assignee: z
    .object({
      agentId: id,
      name: z.string(),
      wakes: z.boolean(),
      reason: z
        .string()
        .nullable()
        .describe(
          'Reason why the assignee is not woken: `not_mentioned`, `issue_done`, `issue_cancelled`, or the reason of the mention or wake',
        ),
    })
    .nullable()
    .describe('The agent that the issue is assigned to'),
  settlesMention: z
    .boolean()
    .describe(
      'True if the comment answers an agent that mentioned `@board`; the issue then leaves the inbox',
    ),
});

export type ThreadEntry = z.infer<typeof threadEntry>;
export type ThreadKind = (typeof THREAD_KINDS)[number];
export type ThreadQuery = z.infer<typeof threadQuery>;
export type CommentPreview = z.infer<typeof commentPreview>;
