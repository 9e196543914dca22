import { isOpenSql } from '../../../state/statuses/issue-status';
import { needsUnblocking } from '../parts';
import { itemsOf, post, required, type Source } from '../source';
import { completeIssue, nameOf, wakeField } from './issue-actions';

export const mentions: Source = {
  kinds: ['mention'],
  items: (p) => [
    itemsOf(
      'mention',
      {
        id: 'i.id',
        since: 'c.created_at',
        issueId: 'i.id',
        agentId: 'c.author_agent_id',
        agents: '1',
        issues: '1',
        facts: `jsonb_build_object('comment', left(c.body, 300), 'isOpen', ${isOpenSql('i')},
          'assigneeAgentId', CASE WHEN ${isOpenSql('i')} THEN i.assignee_agent_id END)`,
      },
      'FROM firm JOIN issue i ON i.company_id = firm.id',
      {
        columnJoins:
          'JOIN issue_comment c ON c.company_id = i.company_id AND c.id = i.board_mention_comment_id',
        where: `WHERE i.company_id = ${p.companyId} AND i.board_mention_comment_id IS NOT NULL
        AND NOT (${needsUnblocking('i')})`,
      },
    ),
  ],
  present: (row) => ({
    title: `Answer ${row.agentName} on ${nameOf(row)}`,
    reason: row.facts.comment,
    actions: [
      post('answer', 'Answer', `/api/issues/${row.issueId}/comments`, {
        fields: [required('body', 'text'), ...wakeField(row.agentId, row.facts.assigneeAgentId)],
      }),
      ...(row.facts.isOpen ? [completeIssue(row)] : []),
    ],
  }),
};
