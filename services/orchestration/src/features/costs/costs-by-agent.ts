import type { AgentCostView } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeCursor, newestCursor, page } from '../../lists/page';
import { budgetUse } from '../../state/budgets/budget-use';
import { THIS_MONTH } from '../../state/budgets/month';

const READ = `
  SELECT a.id AS "agentId", a.name AS "agentName", a.created_at AS "createdAt",
    a.budget_monthly_cents::float8 AS "budgetMonthlyCents",
    coalesce(m.cost_cents, 0)::float8 AS "costCents",
    coalesce(m.input_tokens, 0)::float8 AS "inputTokens",
    coalesce(m.output_tokens, 0)::float8 AS "outputTokens",
    coalesce(m.unpriced_events, 0) AS "unpricedEvents"
  FROM agent a LEFT JOIN agent_month m ON m.agent_id = a.id AND m.month = ${THIS_MONTH}
  WHERE a.company_id = $1::uuid
    AND ($2::timestamptz IS NULL OR (a.created_at, a.id) < ($2::timestamptz, $3::uuid))
  ORDER BY a.created_at DESC, a.id DESC LIMIT $4::int`;

type Row = Omit<AgentCostView, 'utilizationPercent'> & { createdAt: Date };

function present({ createdAt: _, ...row }: Row): AgentCostView {
  const { utilizationPercent } = budgetUse(row.costCents, row.budgetMonthlyCents);
  return { ...row, utilizationPercent };
}

/** Every agent of the company, also who spent nothing: together they make the company's spend. */
export async function listCostsByAgent(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const [createdAt = null, id = null] = decodeCursor(query.cursor, ['time', 'id']) ?? [];
  const values = [call.companyId, createdAt, id, query.limit + 1];
  const rows = await call.db.rows<Row>('costs-by-agent', READ, values);
  const cursorOf = (row: Row) => newestCursor({ id: row.agentId, createdAt: row.createdAt });
  return page(rows, query.limit, present, cursorOf);
}
