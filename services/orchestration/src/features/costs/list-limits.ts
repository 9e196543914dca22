import { ask, type RowOf, statement } from '@switchyard/db';
import type { ListLimitsQuery, SpendingLimitView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { decodeCursor, page } from '../../lists/page';
import { SOFT_PERCENT } from '../../state/budgets/budget';
import { budgetUse } from '../../state/budgets/budget-use';
import {
  forecast,
  recentAgentSpend,
  recentCompanySpend,
  recentDays,
} from '../../state/budgets/forecast';
import { agentSpend, companySpend } from '../../state/budgets/spent';

/**
 * Sorts by urgency: reached limits, nearly reached limits, others. In each group, the company comes
 * first; agents follow by share of the limit. Excludes terminated agents and agents without a
 * limit.
 */
export async function listLimits(call: Call, query: ListLimitsQuery) {
  const [belowRank = null, belowShare = null, belowId = null] =
    decodeCursor(query.cursor, ['int', 'bigint', 'id']) ?? [];
  const rows = await ask(call.db, readLimits, {
    companyId: call.companyId,
    includesOk: query.includeOk === 'true',
    belowRank: belowRank as number | null,
    belowShare: belowShare as number | null,
    belowId: belowId as string | null,
    take: query.limit + 1,
  });
  return page(rows, query.limit, present, ({ rank, share, id }) => [rank, share, id]);
}

type Row = RowOf<typeof readLimits>;

function present(row: Row): SpendingLimitView {
  const { id, name, spendCents, budgetCents } = row;
  const { utilizationPercent, alert } = budgetUse(spendCents, budgetCents);
  const scope = row.scope as SpendingLimitView['scope'];
  const level = LEVELS[alert];
  const state = { spendCents, budgetCents, utilizationPercent, level };
  return { scope, id, name, ...state, ...forecast(row) };
}

const LEVELS = { none: 'ok', soft: 'near', hard: 'at_limit' } as const;

const RANK = `2 * ((l.spend >= l.budget)::int + (l.spend * 100 >= l.budget * ${SOFT_PERCENT})::int)
  + (l.scope = 'company')::int`;
const SHARE = `least(floor(l.spend::numeric * 10000 / l.budget), ${Number.MAX_SAFE_INTEGER})::bigint`;

const readLimits = statement('list-limits', {
  takes: {
    companyId: 'uuid',
    includesOk: 'bool',
    belowRank: 'int?',
    belowShare: 'bigint?',
    belowId: 'uuid?',
    take: 'int',
  },
  gives: {
    scope: 'text',
    id: 'uuid',
    name: 'text',
    spendCents: 'bigint',
    budgetCents: 'bigint',
    recentCents: 'bigint',
    recentDays: 'float',
    now: 'time',
    rank: 'int',
    share: 'bigint',
  },
  sql: (p) => `
    WITH limited AS (
      SELECT 'company' AS scope, c.id, c.name, c.budget_monthly_cents AS budget,
        ${companySpend('c.id')} AS spend, ${recentDays('c')} AS days
      FROM company c WHERE c.id = ${p.companyId} AND c.budget_monthly_cents > 0
      UNION ALL
      SELECT 'agent', a.id, a.name, a.budget_monthly_cents, ${agentSpend('a.id')}, ${recentDays('a')}
      FROM agent a
      WHERE a.company_id = ${p.companyId} AND a.budget_monthly_cents > 0
        AND a.status <> 'terminated'
    ), ranked AS (
      SELECT l.*, ${RANK} AS rank, ${SHARE} AS share FROM limited l
    ), listed AS (
      SELECT * FROM ranked
      WHERE (${p.includesOk} OR rank >= 2)
        AND (${p.belowRank} IS NULL
          OR (rank, share, id) < (${p.belowRank}, ${p.belowShare}, ${p.belowId}))
      ORDER BY rank DESC, share DESC, id DESC LIMIT ${p.take}
    )
    SELECT scope, id, name, spend AS "spendCents", budget AS "budgetCents",
      CASE scope WHEN 'company' THEN ${recentCompanySpend('listed.id')}
        ELSE ${recentAgentSpend(p.companyId, 'listed.id')} END AS "recentCents",
      days AS "recentDays", now(), rank, share
    FROM listed ORDER BY rank DESC, share DESC, id DESC`,
});
