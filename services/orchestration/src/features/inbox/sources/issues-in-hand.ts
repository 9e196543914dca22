import { STALE_AFTER_HOURS } from '@switchyard/types';
import type { InboxRow } from '../inbox-row';
import { isLeft, isNotWaiting } from '../parts';
import { itemsOf, type OfferedAction, patch, post, required, type Source } from '../source';
import { cancelIssue, completeIssue, nameOf } from './issue-actions';

/**
 * Issues in progress for which nothing will wake the agent, and issues that did not change for a
 * day although other work woke the agent. Pauses and budgets are reported per agent instead.
 */
export const issuesInHand: Source = {
  kinds: ['stuck_issue', 'stale_issue'],
  items: (p) => [
    itemsOf(
      'stuck_issue',
      { ...ISSUE, since: 'greatest(i.status_since, last.finished_at)' },
      `FROM firm JOIN issue i ON i.company_id = firm.id
      LEFT JOIN staff s ON s.id = i.assignee_agent_id`,
      {
        columnJoins: `LEFT JOIN LATERAL (
        SELECT l.finished_at FROM heartbeat_run l WHERE l.company_id = i.company_id AND l.issue_id = i.id
        ORDER BY l.created_at DESC, l.id DESC LIMIT 1
      ) last ON true`,
        where: `WHERE firm.status = 'active' AND i.company_id = ${p.companyId} AND i.status = 'in_progress'
        AND i.assignee_user_id IS NULL AND (s.id IS NULL OR (s.may_run AND NOT s.is_awake))
        AND ${isLeft('i')} AND ${isNotWaiting('i')}`,
      },
    ),
    itemsOf(
      'stale_issue',
      { ...ISSUE, since: 'i.updated_at' },
      `FROM staff s JOIN issue i ON i.assignee_agent_id = s.id
      WHERE s.may_run AND s.is_awake AND i.company_id = ${p.companyId} AND i.status = 'in_progress'
        AND i.updated_at < now() - interval '${STALE_AFTER_HOURS} hours'
        AND ${isLeft('i')} AND ${isNotWaiting('i')}`,
    ),
  ],
  present: (row) => ({
    title: `Continue ${nameOf(row)}`,
    reason: reasonOf(row),
    actions: actionsOf(row),
  }),
};

const ISSUE = {
  id: 'i.id',
  issueId: 'i.id',
  agentId: 's.id',
  agents: '(s.id IS NOT NULL)::int',
  issues: '1',
};

function reasonOf({ kind, agentName }: InboxRow): string {
  if (kind === 'stale_issue') {
    return `In progress, assigned to ${agentName} and unchanged for ${STALE_AFTER_HOURS} hours`;
  }
  if (agentName === null) return 'In progress without an assignee who can work on it';
  return `In progress, but ${agentName} is not working on it, and nothing wakes the agent`;
}

function actionsOf(row: InboxRow): OfferedAction[] {
  const { kind, issueId, agentId } = row;
  const path = `/api/issues/${issueId}`;
  const assign = patch('assign', 'Assign to an agent', path, {
    fields: [required('assigneeAgentId', 'agent')],
  });
  const release = post('release', 'Move back to Todo', `${path}/release`);
  const ends = [completeIssue(row), cancelIssue(row)];
  if (agentId === null) return [assign, ...ends];
  if (kind === 'stale_issue') return [release, ...ends];
  const body = { issueId };
  const wake = post('wake', 'Wake agent', `/api/agents/${agentId}/heartbeat/invoke`, { body });
  return [wake, release, ...ends];
}
