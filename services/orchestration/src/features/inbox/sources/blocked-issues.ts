import { needsUnblocking } from '../parts';
import { itemsOf, optional, patch, required, type Source } from '../source';
import { cancelIssue, completeIssue, nameOf, wakeField } from './issue-actions';

export const blockedIssues: Source = {
  kinds: ['blocked_issue'],
  items: (p) => [
    itemsOf(
      'blocked_issue',
      {
        id: 'i.id',
        since: 'i.status_since',
        issueId: 'i.id',
        agentId: 'i.assignee_agent_id',
        agents: '(i.assignee_agent_id IS NOT NULL)::int',
        issues: '1',
      },
      `FROM issue i
      WHERE (SELECT true FROM firm) AND i.company_id = ${p.companyId} AND ${needsUnblocking('i')}`,
      { isIndexed: true },
    ),
  ],
  present: (row) => {
    const path = `/api/issues/${row.issueId}`;
    const comment = optional('comment', 'text');
    return {
      title: `Unblock ${nameOf(row)}`,
      reason: row.comment ?? 'Blocked without a comment',
      actions: [
        patch('unblock', 'Answer and unblock', path, {
          body: { status: 'todo' },
          fields: [comment, ...wakeField(row.agentId, row.askedBy)],
        }),
        patch('reassign', 'Assign to another agent', path, {
          body: { status: 'todo', assigneeUserId: null },
          fields: [required('assigneeAgentId', 'agent'), comment],
        }),
        completeIssue(row),
        cancelIssue(row),
      ],
    };
  },
};
