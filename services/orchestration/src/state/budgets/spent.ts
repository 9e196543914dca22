import { type Database, Prisma } from '@switchyard/db';
import { THIS_MONTH } from './month';

/** SQL: true when the agent that `alias` names has spent its budget of this month; 0 is no limit. */
export const agentBudgetSpent = (alias: string) =>
  Prisma.raw(`(${alias}.budget_monthly_cents > 0 AND EXISTS (
    SELECT 1 FROM agent_month m WHERE m.agent_id = ${alias}.id AND m.month = ${THIS_MONTH}
      AND m.cost_cents >= ${alias}.budget_monthly_cents))`);

/** SQL: the same for the company that `alias` names, whose spend is the sum over its agents. */
export const companyBudgetSpent = (alias: string) =>
  Prisma.raw(`(CASE WHEN ${alias}.budget_monthly_cents = 0 THEN false ELSE (
    SELECT coalesce(sum(m.cost_cents), 0) FROM agent_month m
    WHERE m.company_id = ${alias}.id AND m.month = ${THIS_MONTH}) >= ${alias}.budget_monthly_cents END)`);

export type BudgetReason = 'agent_budget' | 'company_budget';

/** Which budget forbids the agent to begin anything now (guarantee G19); null when none does. */
export async function spentBudgetOf(db: Database, agentId: string): Promise<BudgetReason | null> {
  const [spent] = await db.prisma.$queryRaw<{ agent: boolean; company: boolean }[]>`
    SELECT ${agentBudgetSpent('a')} AS agent, ${companyBudgetSpent('c')} AS company
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${agentId}::uuid`;
  if (spent?.agent) return 'agent_budget';
  return spent?.company ? 'company_budget' : null;
}

/** Cents that each agent spent this month; agents without spend are absent. */
export async function spentByAgent(db: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.prisma.$queryRaw<{ id: string; spent: number }[]>`
    SELECT agent_id AS id, cost_cents::float8 AS spent FROM agent_month
    WHERE agent_id = ANY (${ids}::uuid[]) AND month = ${Prisma.raw(THIS_MONTH)}`;
  return new Map(rows.map((row) => [row.id, row.spent]));
}

/** Cents that each company spent this month; companies without spend are absent. */
export async function spentByCompany(db: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.prisma.$queryRaw<{ id: string; spent: number }[]>`
    SELECT company_id AS id, sum(cost_cents)::float8 AS spent FROM agent_month
    WHERE company_id = ANY (${ids}::uuid[]) AND month = ${Prisma.raw(THIS_MONTH)}
    GROUP BY company_id`;
  return new Map(rows.map((row) => [row.id, row.spent]));
}
