import type { FromColumns } from '@switchyard/db';
import type { InboxKind } from '@switchyard/types';

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

/** Read for the items of a page only. */
export const INBOX_TEXTS = {
  agentName: 'text?',
  identifier: 'text?',
  issueTitle: 'text?',
  routineTitle: 'text?',
  comment: 'text?',
  /** Agent that calls the board on a blocked issue. */
  askedBy: 'uuid?',
  /** Number of further waiting issues. */
  waiting: 'int',
} as const;

export type InboxRow = InboxItemRow & FromColumns<typeof INBOX_TEXTS> & { companyId: string };
