import { z } from 'zod';
import { commaList, id, pageQuery, timestamp } from './primitives';

/** In the order of the list: what has stopped until a person acts, what will or might stop, what is good to know. */
export const INBOX_SEVERITIES = ['blocking', 'warning', 'info'] as const;

/** What can need a person. The kind decides the severity, so that a warning never looks like a stop. */
export const INBOX_KINDS = {
  question: 'blocking',
  approval: 'blocking',
  mention: 'blocking',
  agent_stopped: 'blocking',
  budget_spent: 'blocking',
  blocked_issue: 'blocking',
  failed_run: 'blocking',
  stuck_issue: 'blocking',
  routine_stopped: 'blocking',
  secret_missing: 'blocking',
  issue_review: 'warning',
  agent_idle: 'warning',
  budget_near: 'warning',
  stale_issue: 'warning',
  routine_failed: 'warning',
  check_failed: 'warning',
  endpoint_disabled: 'warning',
  own_issue: 'info',
  agent_paused: 'info',
  company_paused: 'info',
  invite: 'info',
} as const satisfies Record<string, (typeof INBOX_SEVERITIES)[number]>;

export type InboxKind = keyof typeof INBOX_KINDS;
export const INBOX_KIND_NAMES = Object.keys(INBOX_KINDS) as [InboxKind, ...InboxKind[]];

/** `<kind>:<id of what it is about>` */
export const INBOX_ITEM_ID = new RegExp(
  `^(?:${INBOX_KIND_NAMES.join('|')}):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
);

/** Days after which a run that failed is history. */
export const FAILED_RUN_DAYS = 14;

/** A field of the body that the person fills in. */
export const inboxField = z.object({
  name: z.string(),
  /** What to ask for: `agent` is the id of one, `cents` a sum, `choice` one of `options`, `json` an object,
   * `boolean` yes or no. */
  type: z.enum(['text', 'agent', 'cents', 'choice', 'json', 'boolean']),
  required: z.boolean(),
  /** The least that helps, of `cents`. */
  minimum: z.int().optional(),
  options: z.array(z.object({ key: z.string(), label: z.string() })).optional(),
  recommended: z
    .string()
    .optional()
    .describe('What the asker would choose: the key of an option, or a sum in cents'),
  preset: z.boolean().optional().describe('Value of a `boolean` that the person does not change'),
  agentIds: z.array(id).optional().describe('Agents that the step wakes where `wake` is true'),
});

/** A call of this API that the person may make now. */
export const inboxAction = z.object({
  /** A stable word; `label` is for people. */
  name: z.string(),
  label: z.string(),
  method: z.enum(['POST', 'PATCH', 'DELETE']),
  path: z.string(),
  /** What the body has in any case. */
  body: z.record(z.string(), z.unknown()).optional(),
  fields: z.array(inboxField).optional(),
});

const count = z.int().min(0);

export const inboxItem = z.object({
  id: z.string(),
  kind: z.enum(INBOX_KIND_NAMES),
  severity: z.enum(INBOX_SEVERITIES),
  /** What is asked of the person. */
  title: z.string(),
  reason: z.string(),
  since: timestamp,
  issueId: id.nullable(),
  agentId: id.nullable(),
  runId: id.nullable(),
  approvalId: id.nullable(),
  routineId: id.nullable(),
  /** How many agents and open issues wait for it. */
  blocks: z.object({ agents: count, issues: count }),
  /** Those that the caller may take; none for a viewer. */
  actions: z.array(inboxAction),
  /** Hidden from the caller's list until then. */
  snoozedUntil: timestamp.nullable(),
  /** Hidden from the caller's list until it happens anew. */
  dismissedAt: timestamp.nullable(),
});

/** What the caller has to look at, counted whole; what is hidden counts in `snoozed` and `dismissed` alone. */
export const inboxCounts = z.object({
  total: count,
  bySeverity: z.record(z.enum(INBOX_SEVERITIES), count),
  byKind: z.record(z.enum(INBOX_KIND_NAMES), count),
  snoozed: count,
  dismissed: count,
});

export const listInboxQuery = z.strictObject({
  ...pageQuery(),
  /** Hidden items that are shown too, comma-separated: `snoozed`, `dismissed`. */
  include: commaList(['snoozed', 'dismissed']).optional(),
});

export const snoozeItemBody = z.strictObject({ until: timestamp });

export type InboxSeverity = (typeof INBOX_SEVERITIES)[number];
export type InboxField = z.infer<typeof inboxField>;
export type InboxAction = z.infer<typeof inboxAction>;
export type InboxItemView = z.infer<typeof inboxItem>;
export type InboxCounts = z.infer<typeof inboxCounts>;
export type ListInboxQuery = z.infer<typeof listInboxQuery>;
export type SnoozeItemBody = z.infer<typeof snoozeItemBody>;
