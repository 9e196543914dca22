import type { BoardQuestion } from '@switchyard/types';
import { UNSETTLED_ADAPTER } from '../../../state/agents/configuration';
import type { InboxRow } from '../inbox-row';
import { optional, post, required, type Source } from '../source';

export const approvals: Source = {
  kinds: ['approval', 'question'],
  items: (p) => [
    {
      kind: "(CASE ap.type WHEN 'board_question' THEN 'question' ELSE 'approval' END)",
      columns: {
        id: 'ap.id',
        since: 'ap.updated_at',
        agentId: 'ap.requested_by_agent_id',
        agents:
          '(ap.requested_by_agent_id IS NOT NULL)::int + (ap.hired_agent_id IS NOT NULL)::int',
      },
      from: `FROM firm JOIN approval ap ON ap.company_id = firm.id
      WHERE ap.company_id = ${p.companyId} AND ap.status = 'pending'`,
    },
  ],
  present: (row) => ({
    title: titleOf(row),
    reason: row.facts.summary ?? reasonOf(row),
    actions: row.kind === 'question' ? answers(row) : decisions(row),
  }),
};

function titleOf({ facts }: InboxRow): string {
  if (facts.type === 'board_question') return facts.title ?? 'Question to the board';
  if (facts.type !== 'hire_agent') return `Approve: ${facts.title ?? 'the strategy'}`;
  return `Hire ${facts.name ?? 'an agent'} as ${facts.title ?? facts.role ?? 'an agent'}`;
}

/** SQL of the facts of an approval; only read for the items of a page. */
export const approvalFacts = (id: string) => `
        SELECT jsonb_build_object('type', ap.type, 'name', left(ap.payload ->> 'name', 200),
          'role', left(ap.payload ->> 'role', 200), 'title', left(ap.payload ->> 'title', 200),
          'summary', left(coalesce(ap.payload ->> 'summary', ap.payload ->> 'plan', ap.payload ->> 'body'), 300),
          'options', CASE WHEN ap.type = 'board_question' THEN coalesce(ap.payload -> 'options', '[]') END,
          'recommended', ap.payload ->> 'recommended',
          'hire', CASE WHEN hired.id IS NOT NULL THEN jsonb_build_object(
            'managerName', manager.name, 'budgetMonthlyCents', hired.budget_monthly_cents,
            'adapterType', adapter.type, 'command', left(adapter.config ->> 'command', 200),
            'args', left(adapter.config ->> 'args', 200), 'url', left(adapter.config ->> 'url', 200)) END)
        FROM approval ap LEFT JOIN agent hired ON hired.id = ap.hired_agent_id
        LEFT JOIN agent manager ON manager.id = hired.reports_to
        CROSS JOIN LATERAL (${ADAPTER}) adapter WHERE ap.id = ${id}`;

const ADAPTER = `
  SELECT coalesce(proposed ->> 'adapterType', hired.adapter_type) AS type,
    coalesce(proposed -> 'adapterConfig', hired.adapter_config) AS config
  FROM (SELECT CASE WHEN hired.adapter_type = '${UNSETTLED_ADAPTER}' AND hired.adapter_config = '{}'
    THEN ap.payload -> 'proposedAdapter' END AS proposed) choice`;

interface Hire {
  managerName: string | null;
  budgetMonthlyCents: number;
  adapterType: string;
  command: string | null;
  args: string | null;
  url: string | null;
}

function reasonOf({ agentName, facts }: InboxRow): string {
  const asker = agentName ?? 'The board';
  const hire = facts.hire as Hire | null;
  if (facts.type !== 'hire_agent' || !hire) return `${asker} requests a decision`;
  const { managerName, budgetMonthlyCents: budget } = hire;
  return [
    `${asker} proposes ${facts.name} (${facts.role})`,
    `reports to ${managerName ?? 'the board'}`,
    `runs ${programOf(hire)}`,
    budget === 0 ? 'no budget limit' : `budget ${(budget / 100).toFixed(2)} per month`,
  ].join(', ');
}

function programOf({ adapterType, command, args, url }: Hire): string {
  const program = command ?? url;
  if (program === null) return `on ${adapterType}, no command chosen yet`;
  const text = [program, ...(args && args !== '[]' ? [args] : [])].join(' ');
  return `\`${text.replaceAll('`', "'")}\``;
}

function decisions({ id, facts }: InboxRow) {
  const note = optional('decisionNote', 'text');
  const hire = facts.hire as Hire | null;
  const budget = hire && {
    ...optional('budgetMonthlyCents', 'cents'),
    ...(hire.budgetMonthlyCents > 0 && { recommended: String(hire.budgetMonthlyCents) }),
  };
  return [
    ['approve', 'Approve'],
    ['reject', 'Reject'],
    ['request-revision', 'Request changes'],
  ].map(([verb = '', label = '']) =>
    post(verb.replace('-', '_'), label, `/api/approvals/${id}/${verb}`, {
      fields: verb === 'approve' && budget ? [budget, note] : [note],
    }),
  );
}

function answers({ id, facts }: InboxRow) {
  const path = `/api/approvals/${id}`;
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
