import { ask, type RowOf, statement } from '@switchyard/db';
import type { AgentCostView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestStart, page } from '../../lists/page';
import { budgetUse } from '../../state/budgets/budget-use';
import { THIS_MONTH } from '../../state/budgets/month';

/** Every agent of the company, with or without spend: together they make the company's spend. */
export async function listCostsByAgent(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const rows = await ask(call.db, readCostsByAgent, {
    companyId: call.companyId,
    ...newestStart(query),
    take: query.limit + 1,
  });
  return page(rows, query.limit, present, (row) => [row.createdAt, row.agentId]);
}

function present({ createdAt: _, ...row }: RowOf<typeof readCostsByAgent>): AgentCostView {
  const { utilizationPercent } = budgetUse(row.costCents, row.budgetMonthlyCents);
  return { ...row, utilizationPercent };
}

const readCostsByAgent = statement('read-costs-by-agent', {
  takes: { companyId: 'uuid', beforeTime: 'time', beforeId: 'uuid', take: 'int' },
  gives: {
    agentId: 'uuid',
    agentName: 'text',
    createdAt: 'time',
    budgetMonthlyCents: 'bigint',
    costCents: 'bigint',
    inputTokens: 'bigint',
    outputTokens: 'bigint',
    unpricedEvents: 'int',
  },
  sql: (p) => `
    SELECT a.id AS "agentId", a.name AS "agentName", a.created_at AS "createdAt",
      a.budget_monthly_cents AS "budgetMonthlyCents", coalesce(m.cost_cents, 0) AS "costCents",
      coalesce(m.input_tokens, 0) AS "inputTokens", coalesce(m.output_tokens, 0) AS "outputTokens",
      coalesce(m.unpriced_events, 0) AS "unpricedEvents"
    FROM agent a LEFT JOIN agent_month m ON m.agent_id = a.id AND m.month = ${THIS_MONTH}
    WHERE a.company_id = ${p.companyId}
      AND (a.created_at, a.id) < (${p.beforeTime}, ${p.beforeId})
    ORDER BY a.created_at DESC, a.id DESC LIMIT ${p.take}`,
});
