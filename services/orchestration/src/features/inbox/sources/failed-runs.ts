import { unfitness } from '../parts';
import { itemsOf, post, type Source } from '../source';
import { findingOf } from './checks';
import { cancelIssue, completeIssue, nameOf } from './issue-actions';

export const failedRuns: Source = {
  kinds: ['failed_run'],
  items: () => [
    itemsOf(
      'failed_run',
      {
        id: 'failed.id',
        since: 'failed.finished_at',
        agentId: 'failed.agent_id',
        issueId: 'failed.issue_id',
        agents: '1',
        issues: '(failed.issue_id IS NOT NULL)::int',
        facts: `jsonb_build_object('status', failed.status, 'source', failed.source,
          'error', left(coalesce(failed.error, failed.error_code), 300),
          'finding', ${unfitness('failed.agent_id')})`,
      },
      'FROM failed',
    ),
  ],
  present: (row) => {
    const { facts, agentName, issueId } = row;
    const what = issueId ? ` on ${nameOf(row)}` : '';
    const verb = facts.status === 'timed_out' ? 'timed out' : 'failed';
    const finding = findingOf(row);
    return {
      title: `${agentName} ${verb}${what}`,
      reason: `${facts.error ?? 'no reason given'}${finding.reason}`,
      actions: [
        post('retry', 'Retry', `/api/heartbeat-runs/${row.id}/retry`),
        ...finding.actions,
        ...(issueId ? [completeIssue(row), cancelIssue(row)] : []),
      ],
    };
  },
};
