import { isLeft } from '../parts';
import { itemsOf, optional, patch, type Source } from '../source';
import { cancelIssue, nameOf, wakeField } from './issue-actions';

export const reviews: Source = {
  kinds: ['issue_review'],
  items: (p) => [
    itemsOf(
      'issue_review',
      {
        id: 'i.id',
        since: 'i.status_since',
        issueId: 'i.id',
        agentId: 'i.assignee_agent_id',
        issues: '1',
      },
      `FROM issue i
      WHERE (SELECT true FROM firm) AND i.company_id = ${p.companyId} AND i.status = 'in_review'
        AND ${isLeft('i')}`,
      { isIndexed: true },
    ),
  ],
  present: (row) => {
    const path = `/api/issues/${row.issueId}`;
    const fields = [optional('comment', 'text')];
    const handsBack = [...fields, ...wakeField(row.agentId)];
    return {
      title: `Review ${nameOf(row)}`,
      reason: row.comment ?? `${row.agentName ?? 'A person'} handed the issue in`,
      actions: [
        patch('accept', 'Mark as done', path, { body: { status: 'done' }, fields }),
        patch('send_back', 'Send back', path, {
          body: { status: 'in_progress' },
          fields: handsBack,
        }),
        cancelIssue(row),
      ],
    };
  },
};
