import type { FromColumns } from '@switchyard/db';
import type { InboxKind } from '@switchyard/types';

export const INBOX_ITEM = {
  kind: 'text',
  id: 'uuid',
  since: 'time',
  happenedAt: 'bigint',
  fingerprint: 'text',
  issueId: 'uuid?',
  agentId: 'uuid?',
  agents: 'int',
  issues: 'int',
  facts: 'json',
} as const;

export type InboxItemRow = Omit<FromColumns<typeof INBOX_ITEM>, 'kind'> & { kind: InboxKind };

export const INBOX_TEXTS = {
  agentName: 'text?',
  identifier: 'text?',
  issueTitle: 'text?',
  routineTitle: 'text?',
  comment: 'text?',
  askedBy: 'uuid?',
  approval: 'json?',
  waiting: 'int',
} as const;

export type InboxRow = InboxItemRow & FromColumns<typeof INBOX_TEXTS> & { companyId: string };
