import { THIS_MONTH } from '../../../state/budgets/month';
import type { InboxRow } from '../inbox-row';
import { workOf, workOfCompany } from '../parts';
import { itemsOf, patch, required, type Source } from '../source';

export const budgets: Source = {
  kinds: ['budget_spent', 'budget_near'],
  items: (p) => [
    itemsOf(
      'budget_spent',
      { ...of('s', 'hard'), agentId: 's.id', agents: '1', issues: workOf(p, 's.id') },
      'FROM staff s WHERE s.is_spent',
    ),
    itemsOf(
      'budget_spent',
      {
        ...of('firm', 'hard'),
        agents: '(SELECT count(*) FROM staff)',
        issues: workOfCompany(p),
      },
      'FROM firm WHERE firm.is_spent',
    ),
    itemsOf(
      'budget_near',
      { ...of('s', 'soft'), agentId: 's.id' },
      `FROM staff s WHERE ${isNear('s')}`,
    ),
    itemsOf('budget_near', of('firm', 'soft'), `FROM firm WHERE ${isNear('firm')}`),
  ],
  present: (row) => {
    const { kind, facts, agentId, companyId } = row;
    const isSpent = kind === 'budget_spent';
    const path = agentId ? `/api/agents/${agentId}` : `/api/companies/${companyId}`;
    const label = isSpent ? 'Raise budget and resume' : 'Raise budget';
    return {
      title: `Raise the budget of ${facts.name}`,
      reason: `${sum(facts.spend)} of ${sum(facts.budget)} spent this month; ${consequence(row)}`,
      actions: [
        patch('raise_budget', label, path, {
          fields: [required('budgetMonthlyCents', 'cents', leastThatHelps(row))],
          access: agentId ? 'board' : 'owner',
        }),
      ],
    };
  },
};

const of = (alias: string, mark: 'soft' | 'hard') => ({
  id: `${alias}.id`,
  since: `coalesce(${alias}.${mark === 'soft' ? 'soft_alerted_at' : 'hard_stopped_at'},
    ${THIS_MONTH}::timestamp AT TIME ZONE 'UTC')`,
  fingerprint: `${alias}.budget::text`,
  facts: `jsonb_build_object('name', ${alias}.name, 'spend', ${alias}.spend, 'budget', ${alias}.budget)`,
});

const isNear = (alias: string) =>
  `${alias}.budget > 0 AND ${alias}.spend < ${alias}.budget AND ${alias}.spend * 100 >= ${alias}.budget * 80`;

const sum = (cents: number) => (cents / 100).toFixed(2);

function consequence({ kind, agentId }: InboxRow): string {
  if (kind === 'budget_near') return 'at 100 %, no run starts';
  return agentId ? 'no run of this agent starts' : 'no run of any agent starts';
}

/**
 * Returns the lowest budget that resolves the item: above the spend for a spent budget; for a
 * warning, a budget of which the spend is below 80 %.
 */
function leastThatHelps({ kind, facts }: InboxRow): number {
  return kind === 'budget_spent' ? facts.spend + 1 : Math.floor((facts.spend * 100) / 80) + 1;
}
