import type { BoardQuestion } from '@switchyard/types';
import type { InboxRow } from '../inbox-row';
import { itemSql, optional, post, required, type Source } from '../source';

/** Requests that wait for the board's decision, and questions that wait for its answer. One that is handed in again is new. */
export const approvals: Source = {
  kinds: ['approval', 'question'],
  sql: (p) =>
    (['approval', 'question'] as const).map((kind) =>
      itemSql(
        kind,
        {
          id: 'ap.id',
          since: 'ap.updated_at',
          approvalId: 'ap.id',
          agentId: 'ap.requested_by_agent_id',
          agents:
            '(ap.requested_by_agent_id IS NOT NULL)::int + (ap.hired_agent_id IS NOT NULL)::int',
          facts: `jsonb_build_object('type', ap.type, 'name', left(ap.payload ->> 'name', 200),
          'role', left(ap.payload ->> 'role', 200), 'title', left(ap.payload ->> 'title', 200),
          'summary', left(coalesce(ap.payload ->> 'summary', ap.payload ->> 'plan', ap.payload ->> 'body'), 300),
          'options', CASE WHEN ap.type = 'board_question' THEN coalesce(ap.payload -> 'options', '[]') END,
          'recommended', ap.payload ->> 'recommended')`,
        },
        `FROM firm JOIN approval ap ON ap.company_id = firm.id
      WHERE ap.company_id = ${p.companyId} AND ap.status = 'pending'
        AND ap.type ${kind === 'question' ? '=' : '<>'} 'board_question'`,
      ),
    ),
  present: (row) => ({
    title: titleOf(row),
    reason: row.facts.summary ?? `${row.agentName ?? 'The board'} asks for a decision`,
    actions: row.kind === 'question' ? answers(row) : decisions(row.approvalId),
  }),
};

function titleOf({ facts }: InboxRow): string {
  if (facts.type === 'board_question') return facts.title ?? 'Answer a question';
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

function answers({ approvalId, facts }: InboxRow) {
  const path = `/api/approvals/${approvalId}`;
  const options = facts.options as BoardQuestion['options'] & object;
  const choice = {
    ...required('option', 'choice'),
    options: options.map(({ key, label }) => ({ key, label })),
    ...(facts.recommended && { recommended: facts.recommended }),
  };
  const fields =
    options.length > 0 ? [choice, optional('note', 'text')] : [required('note', 'text')];
  return [
    post('answer', 'Answer', `${path}/answer`, { fields }),
    post('dismiss', 'Leave unanswered', `${path}/reject`, {
      fields: [optional('decisionNote', 'text')],
    }),
  ];
}
