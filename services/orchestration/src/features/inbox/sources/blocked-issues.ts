import { needsUnblocking } from '../parts';
import { itemSql, optional, patch, required, type Source } from '../source';
import { cancelIssue, completeIssue, nameOf, wakeField } from './issue-actions';

export const blockedIssues: Source = {
  kinds: ['blocked_issue'],
  sql: (p) => [
    itemSql(
      'blocked_issue',
      {
        id: 'i.id',
        since: 'i.status_since',
        issueId: 'i.id',
        agentId: 'i.assignee_agent_id',
        agents: '(i.assignee_agent_id IS NOT NULL)::int',
        issues: '1',
      },
      `FROM firm JOIN issue i ON i.company_id = firm.id
      WHERE i.company_id = ${p.companyId} AND ${needsUnblocking('i')}`,
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
