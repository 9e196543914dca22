import type { InboxField } from '@switchyard/types';
import type { InboxRow } from '../inbox-row';
import { type OfferedAction, optional, patch, post } from '../source';

export const nameOf = ({ identifier, issueTitle }: InboxRow) => `${identifier} ${issueTitle}`;

export const completeIssue = ({ issueId }: InboxRow): OfferedAction =>
  post('complete', 'Mark as done', `/api/issues/${issueId}/complete`, {
    fields: [optional('comment', 'text')],
  });

export const cancelIssue = ({ issueId }: InboxRow): OfferedAction =>
  patch('cancel', 'Cancel issue', `/api/issues/${issueId}`, { body: { status: 'cancelled' } });

export function wakeField(...agentIds: (string | null)[]): InboxField[] {
  const woken = [...new Set(agentIds.filter((agentId) => agentId !== null))];
  if (woken.length === 0) return [];
  return [{ name: 'wake', type: 'boolean', required: false, preset: true, agentIds: woken }];
}
