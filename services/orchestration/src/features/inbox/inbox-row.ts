import type { FromColumns } from '@switchyard/db';

/** Columns of an item of the list. */
export const INBOX_ITEM = {
  kind: 'text',
  severityAt: 'int',
  kindAt: 'int',
  id: 'uuid',
  since: 'time',
  issueId: 'uuid?',
  agentId: 'uuid?',
  runId: 'uuid?',
  approvalId: 'uuid?',
  routineId: 'uuid?',
  agents: 'int',
  issues: 'int',
  facts: 'json',
  companyId: 'uuid',
  agentName: 'text?',
  identifier: 'text?',
  issueTitle: 'text?',
  routineTitle: 'text?',
  comment: 'text?',
  snoozedUntil: 'time?',
  dismissedAt: 'time?',
} as const;

export type InboxRow = FromColumns<typeof INBOX_ITEM>;
