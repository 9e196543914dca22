import { z } from 'zod';
import { commaList, id, pageQuery, timestamp } from './primitives';

export const INBOX_SEVERITIES = ['blocking', 'warning', 'info'] as const;

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

export const INBOX_ITEM_ID = new RegExp(
  `^(?:${INBOX_KIND_NAMES.join('|')}):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
);

export const FAILED_RUN_DAYS = 14;

export const inboxField = z.object({
  name: z.string(),
  type: z.enum(['text', 'agent', 'cents', 'choice', 'json', 'boolean']),
  required: z.boolean(),
  minimum: z.int().optional(),
  options: z.array(z.object({ key: z.string(), label: z.string() })).optional(),
  recommended: z
    .string()
    .optional()
    .describe('Recommended value: the key of an option, or an amount in cents'),
  preset: z.boolean().optional().describe('Default value of a `boolean` field'),
  agentIds: z.array(id).optional().describe('Agents that the action wakes if `wake` is true'),
});

export const inboxAction = z.object({
  name: z.string(),
  label: z.string(),
  method: z.enum(['POST', 'PATCH', 'DELETE']),
  path: z.string(),
  body: z.record(z.string(), z.unknown()).optional(),
  fields: z.array(inboxField).optional(),
});

const count = z.int().min(0);

export const inboxItem = z.object({
  id: z.string(),
  kind: z.enum(INBOX_KIND_NAMES),
  severity: z.enum(INBOX_SEVERITIES),
  title: z.string(),
  reason: z.string(),
  since: timestamp,
  issueId: id.nullable(),
  agentId: id.nullable(),
  agentName: z.string().nullable(),
  runId: id.nullable(),
  approvalId: id.nullable(),
  routineId: id.nullable(),
  blocks: z.object({ agents: count, issues: count }),
  actions: z.array(inboxAction),
  snoozedUntil: timestamp.nullable(),
  dismissedAt: timestamp.nullable(),
});

export const inboxCounts = z.object({
  total: count,
  bySeverity: z.record(z.enum(INBOX_SEVERITIES), count),
  byKind: z.record(z.enum(INBOX_KIND_NAMES), count),
  snoozed: count,
  dismissed: count,
});

export const listInboxQuery = z.strictObject({
  ...pageQuery(),
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
