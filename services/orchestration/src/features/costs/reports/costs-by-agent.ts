import { ask, type RowOf, statement } from '@switchyard/db';
import type { AgentCostView, ListCostsQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { newestStart, page } from '../../../lists/page';
import { recentAgentSpend, recentDays } from '../../../state/budgets/forecast';
import { THIS_MONTH } from '../../../state/budgets/month';
import { agentSpend, reservedCents } from '../../../state/budgets/spent';
import { budgetState } from './budget-state';
import {
  type Days,
  dayAfter,
  disputedIn,
  firstDay,
  monthOf,
  monthsIn,
  PRESENT_MONTH,
  rangeOf,
  TALLIED,
} from './cost-range';

export async function listCostsByAgent(call: Call, query: ListCostsQuery) {
  const range = rangeOf(query);
  const read = range === PRESENT_MONTH ? readPresentMonth : readRange;
  const rows = await ask(call.db, read, {
    companyId: call.companyId,
    ...range,
    ...newestStart(query),
    take: query.limit + 1,
  });
  const present = (row: Row) => presentIn(range, row);
  return page(rows, query.limit, present, (row) => [row.createdAt, row.agentId]);
}

type Row = RowOf<typeof readRange>;

function presentIn(
  { from, to }: Days,
  { createdAt: _, presentMonth, now, spendCents, recentCents, recentDays, ...row }: Row,
): AgentCostView {
  const budgetCents = row.budgetMonthlyCents;
  const spending = { now, budgetCents, spendCents, recentCents, recentDays };
  const isPresentMonth = from === null || to === null || monthOf({ from, to }) === presentMonth;
  const { alert: __, ...state } = budgetState(spending, row.costCents, isPresentMonth);
  return { ...row, ...state };
}

type Parameters = Record<'companyId' | 'from' | 'to' | 'beforeTime' | 'beforeId' | 'take', string>;

const byAgent = (spent: (p: Parameters) => string) =>
  ({
    takes: {
      companyId: 'uuid',
      beforeTime: 'time',
      beforeId: 'uuid',
      take: 'int',
      from: 'date?',
      to: 'date?',
    },
    gives: {
      agentId: 'uuid',
      agentName: 'text',
      createdAt: 'time',
      budgetMonthlyCents: 'bigint',
      costCents: 'bigint',
      inputTokens: 'bigint',
      outputTokens: 'bigint',
      unpricedEvents: 'bigint',
      disputedCents: 'bigint',
      reservedCents: 'bigint',
      presentMonth: 'text',
      now: 'time',
      spendCents: 'bigint',
      recentCents: 'bigint',
      recentDays: 'float',
    },
    sql: (p: Parameters) => `
      SELECT a.id AS "agentId", a.name AS "agentName", a.created_at AS "createdAt",
        a.budget_monthly_cents AS "budgetMonthlyCents", coalesce(s.cost_cents, 0) AS "costCents",
        coalesce(s.input_tokens, 0) AS "inputTokens",
        coalesce(s.output_tokens, 0) AS "outputTokens",
        coalesce(s.unpriced_events, 0)::bigint AS "unpricedEvents",
        coalesce(disputed.cents, 0) AS "disputedCents",
        ${reservedCents('v.company_id = a.company_id AND v.agent_id = a.id')} AS "reservedCents",
        to_char(${THIS_MONTH}, 'YYYY-MM') AS "presentMonth", now(),
        ${agentSpend('a.id')} AS "spendCents", ${recentAgentSpend('a.company_id', 'a.id')} AS "recentCents",
        ${recentDays('a')} AS "recentDays"
      FROM (
        SELECT * FROM agent WHERE company_id = ${p.companyId}
          AND (created_at, id) < (${p.beforeTime}, ${p.beforeId})
        ORDER BY created_at DESC, id DESC LIMIT ${p.take}
      ) a
      CROSS JOIN LATERAL (${spent(p)}) s
      LEFT JOIN (
        SELECT agent_id, sum(disputed_cents)::bigint AS cents ${disputedIn(p)} GROUP BY agent_id
      ) disputed ON disputed.agent_id = a.id
      ORDER BY a.created_at DESC, a.id DESC`,
  }) as const;

const readPresentMonth = statement(
  'read-costs-by-agent',
  byAgent(
    (p) => `
      SELECT sum(cost_cents)::bigint AS cost_cents, sum(input_tokens)::bigint AS input_tokens,
        sum(output_tokens)::bigint AS output_tokens, sum(unpriced_events)::bigint AS unpriced_events
      FROM agent_month WHERE ${monthsIn(p)} AND agent_id = a.id`,
  ),
);

const readRange = statement(
  'read-costs-by-agent-of-range',
  byAgent(
    (p) => `
      SELECT ${TALLIED} FROM generate_series(0, ${dayAfter(p)} - ${firstDay(p)} - 1) n
      CROSS JOIN LATERAL (
        SELECT ${TALLIED} FROM cost_day d
        WHERE d.company_id = ${p.companyId} AND d.day = ${firstDay(p)} + n AND d.agent_id = a.id
      ) daily`,
  ),
);
