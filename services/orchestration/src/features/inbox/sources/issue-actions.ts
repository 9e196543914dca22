import type { InboxField } from '@switchyard/types';
import type { InboxRow } from '../inbox-row';
import { type OfferedAction, optional, patch, post } from '../source';

/** `ACM-42 Write the report` */
export const nameOf = ({ identifier, issueTitle }: InboxRow) => `${identifier} ${issueTitle}`;

/** For what was done elsewhere, too. */
export const completeIssue = ({ issueId }: InboxRow): OfferedAction =>
  post('complete', 'Mark as done', `/api/issues/${issueId}/complete`, {
    fields: [optional('comment', 'text')],
  });

export const cancelIssue = ({ issueId }: InboxRow): OfferedAction =>
  patch('cancel', 'Cancel the issue', `/api/issues/${issueId}`, { body: { status: 'cancelled' } });

/** Whether the step wakes these agents, each of which may be null; no field without an agent. */
export function wakeField(...agentIds: (string | null)[]): InboxField[] {
  const woken = [...new Set(agentIds.filter((agentId) => agentId !== null))];
  if (woken.length === 0) return [];
  return [{ name: 'wake', type: 'boolean', required: false, preset: true, agentIds: woken }];
}
