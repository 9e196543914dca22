import type { FromColumns } from '@switchyard/db';
import type { InboxKind } from '@switchyard/types';

/** Columns of an item as the statements of its group return it. */
export const INBOX_ITEM = {
  kind: 'text',
  id: 'uuid',
  since: 'time',
  /** Microseconds since 1970. */
  happenedAt: 'bigint',
  fingerprint: 'text',
  issueId: 'uuid?',
  agentId: 'uuid?',
  agents: 'int',
  issues: 'int',
  facts: 'json',
} as const;

export type InboxItemRow = Omit<FromColumns<typeof INBOX_ITEM>, 'kind'> & { kind: InboxKind };

/** Names and texts of an item, read for the items of a page only. */
export const INBOX_TEXTS = {
  agentName: 'text?',
  identifier: 'text?',
  issueTitle: 'text?',
  routineTitle: 'text?',
  comment: 'text?',
  /** Agent that calls the board on a blocked issue. */
  askedBy: 'uuid?',
  /** How many more issues wait for it. */
  waiting: 'int',
} as const;

/** An item of a page. */
export type InboxRow = InboxItemRow & FromColumns<typeof INBOX_TEXTS> & { companyId: string };
