import type { InboxRow } from '../inbox-statement';
import { itemSql, optional, post, type Source } from '../source';

/** Requests that wait for the board's decision; a request that is handed in again is a new one. */
export const approvals: Source = {
  kinds: ['approval'],
  sql: (p) => [
    itemSql(
      'approval',
      {
        id: 'ap.id',
        since: 'ap.updated_at',
        approvalId: 'ap.id',
        agentId: 'ap.requested_by_agent_id',
        agents:
          '(ap.requested_by_agent_id IS NOT NULL)::int + (ap.hired_agent_id IS NOT NULL)::int',
        issues: `(SELECT count(*) FROM approval_issue ai JOIN issue i ON i.id = ai.issue_id
          WHERE ai.approval_id = ap.id AND i.status NOT IN ('done', 'cancelled'))`,
        facts: `jsonb_build_object('type', ap.type, 'name', left(ap.payload ->> 'name', 200),
          'role', left(ap.payload ->> 'role', 200), 'title', left(ap.payload ->> 'title', 200),
          'summary', left(coalesce(ap.payload ->> 'summary', ap.payload ->> 'plan'), 300))`,
      },
      `FROM firm JOIN approval ap ON ap.company_id = firm.id
      WHERE ap.company_id = ${p.companyId} AND ap.status = 'pending'`,
    ),
  ],
  present: (row) => ({
    title: titleOf(row),
    reason: row.facts.summary ?? `${row.agentName ?? 'The board'} asks for a decision`,
    actions: decisions(row.approvalId),
  }),
};

function titleOf({ facts }: InboxRow): string {
  if (facts.type !== 'hire_agent') return `Approve: ${facts.title ?? 'the strategy'}`;
  return `Hire ${facts.name ?? 'an agent'} as ${facts.title ?? facts.role ?? 'an agent'}`;
}

const decisions = (approvalId: string | null) =>
  [
    ['approve', 'Approve'],
    ['reject', 'Reject'],
    ['request-revision', 'Ask for a change'],
  ].map(([verb = '', label = '']) =>
    post(verb.replace('-', '_'), label, `/api/approvals/${approvalId}/${verb}`, {
      fields: [optional('decisionNote', 'text')],
    }),
  );
