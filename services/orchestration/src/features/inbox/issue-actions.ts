import type { InboxRow } from './inbox-statement';
import { type OfferedAction, patch } from './source';

/** `ACM-42 Write the report` */
export const nameOf = ({ identifier, issueTitle }: InboxRow) => `${identifier} ${issueTitle}`;

export const cancelIssue = ({ issueId }: InboxRow): OfferedAction =>
  patch('cancel', 'Cancel the issue', `/api/issues/${issueId}`, { body: { status: 'cancelled' } });
