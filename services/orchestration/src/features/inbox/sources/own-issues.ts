import { isStartedOrNextSql } from '../../../state/statuses/issue-status';
import { isNotWaiting } from '../parts';
import { itemsOf, patch, post, required, type Source } from '../source';
import { cancelIssue, completeIssue, nameOf } from './issue-actions';

export const ownIssues: Source = {
  kinds: ['own_issue'],
  items: (p) => [
    itemsOf(
      'own_issue',
      {
        id: 'i.id',
        since: 'i.status_since',
        issueId: 'i.id',
        issues: '1',
        facts: "jsonb_build_object('status', i.status)",
      },
      `FROM firm JOIN issue i ON i.company_id = firm.id
      WHERE i.company_id = ${p.companyId} AND i.assignee_user_id IS NOT NULL
        AND i.assignee_user_id = (SELECT user_id FROM asker) AND ${isStartedOrNextSql('i')}
        AND ${isNotWaiting('i')}`,
    ),
  ],
  present: (row) => {
    const path = `/api/issues/${row.issueId}`;
    const body = { expectedStatuses: [row.facts.status] };
    const isToDo = row.facts.status === 'todo';
    return {
      title: `${isToDo ? 'Do' : 'Finish'} ${nameOf(row)}`,
      reason: `Assigned to you and ${isToDo ? 'not started' : 'in progress'}`,
      actions: [
        ...(isToDo ? [post('start', 'Start', `${path}/checkout`, { body })] : []),
        patch('assign', 'Assign to an agent', path, {
          body: { assigneeUserId: null },
          fields: [required('assigneeAgentId', 'agent')],
        }),
        completeIssue(row),
        cancelIssue(row),
      ],
    };
  },
};
