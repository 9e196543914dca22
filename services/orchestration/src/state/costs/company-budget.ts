import { ask, statement } from '@switchyard/db';
import { recordActivities } from '../../kernel/activity';
import { SYSTEM } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { lockAgents, renewAgents } from '../agents/lock-agent';
import { type BudgetMarks, nextThreshold } from '../budgets/budget';
import { THIS_MONTH } from '../budgets/month';

/**
 * Divisor of the smallest share: an agent receives at least an eighth of the remaining amount,
 * regardless of the number of agents.
 */
const SMALLEST_SHARE = 8;

/**
 * Reserves for an agent a share of what its company may spend before the next threshold. While the
 * agent stays below its share, its events do not read the company's total. If too little is left,
 * all shares are reclaimed, and every event reads the exact total. Requires the locks of the
 * company and of the agent's month.
 */
export async function reserveAllowance(tx: Tx, agentId: string, agentCents: number): Promise<void> {
  let at = await positionOf(tx);
  let others = await reservedBy(tx, agentId);
  const room = () => {
    const threshold = nextThreshold(at.budgetCents, at);
    return threshold === null ? Number.POSITIVE_INFINITY : threshold - others.cents - agentCents;
  };
  if (room() <= 0) {
    await ask(tx, reclaimAllowances, { companyId: tx.companyId, exceptAgentId: agentId });
    others = await reservedBy(tx, agentId);
    at = await recordReached(tx, at, others.cents + agentCents);
  }
  const share = Math.min(others.agents + 1, SMALLEST_SHARE);
  const part = agentCents + Math.ceil(room() / share);
  await ask(tx, writeAllowance, { agentId, cents: Number.isFinite(part) ? part : null });
}

/**
 * Applies a changed budget: immediately records thresholds that are already reached, and makes the
 * agents' next cost events read the company's total again. Requires the company's lock; locks its
 * agents, so that no run starts meanwhile.
 */
export async function enforceCompanyBudget(tx: Tx): Promise<void> {
  const { companyId } = tx;
  await lockAgents(tx, companyId);
  await renewAgents(tx, companyId);
  await ask(tx, reclaimAllowances, { companyId, exceptAgentId: null });
  const at = await positionOf(tx);
  const { cents: spendCents } = await reservedBy(tx, null);
  const hard = at.hard && at.budgetCents > 0 && spendCents >= at.budgetCents;
  if (at.hard && !hard) await ask(tx, markCompanyMonth, { companyId, soft: at.soft, hard: false });
  await recordReached(tx, { ...at, hard }, spendCents);
}

async function recordReached(tx: Tx, at: Position, spendCents: number): Promise<Position> {
  const { companyId } = tx;
  const { month, budgetCents } = at;
  let marks: Position = at;
  for (;;) {
    const threshold = nextThreshold(budgetCents, marks);
    if (threshold === null || spendCents < threshold) return marks;
    marks = { ...marks, hard: marks.soft, soft: true };
    const kind = marks.hard ? 'hard_stop' : 'soft_alert';
    tx.afterCommit(() => tx.context.metrics.budgetEvents.inc({ scope: 'company', kind }));
    const details = { month, spendCents, budgetCents };
    const alert = { action: `budget.${kind}`, entityType: 'company', entityId: companyId, details };
    await recordActivities(tx, [{ companyId, actor: SYSTEM, ...alert }]);
    await ask(tx, markCompanyMonth, { companyId, soft: marks.soft, hard: marks.hard });
  }
}

interface Position extends BudgetMarks {
  budgetCents: number;
  month: string;
}

async function positionOf(tx: Tx): Promise<Position> {
  const [found] = await ask(tx, readCompanyBudget, { companyId: tx.companyId });
  if (!found) throw new Error('the locked company is missing');
  return found;
}

async function reservedBy(tx: Tx, exceptAgentId: string | null) {
  const [sum] = await ask(tx, sumAllowances, { companyId: tx.companyId, exceptAgentId });
  return sum ?? { cents: 0, agents: 0 };
}

const readCompanyBudget = statement('read-company-budget', {
  takes: { companyId: 'uuid' },
  gives: { budgetCents: 'bigint', month: 'text', soft: 'bool', hard: 'bool' },
  sql: ({ companyId }) => `
    SELECT c.budget_monthly_cents AS "budgetCents", to_char(${THIS_MONTH}, 'YYYY-MM') AS month,
      m.soft_alerted_at IS NOT NULL AS soft, m.hard_stopped_at IS NOT NULL AS hard
    FROM company c LEFT JOIN company_month m ON m.company_id = c.id AND m.month = ${THIS_MONTH}
    WHERE c.id = ${companyId}`,
});

const sumAllowances = statement('sum-allowances', {
  takes: { companyId: 'uuid', exceptAgentId: 'uuid?' },
  gives: { cents: 'float', agents: 'int' },
  sql: ({ companyId, exceptAgentId }) => `
    SELECT coalesce(sum(greatest(granted_cents, cost_cents)), 0)::float8 AS cents,
      count(*)::int AS agents
    FROM agent_month
    WHERE company_id = ${companyId} AND month = ${THIS_MONTH}
      AND agent_id IS DISTINCT FROM ${exceptAgentId}`,
});

const reclaimAllowances = statement('reclaim-allowances', {
  takes: { companyId: 'uuid', exceptAgentId: 'uuid?' },
  gives: {},
  sql: ({ companyId, exceptAgentId }) => `
    UPDATE agent_month SET granted_cents = cost_cents, watch_at_cents = 0
    WHERE company_id = ${companyId} AND month >= ${THIS_MONTH} AND granted_cents > cost_cents
      AND agent_id IS DISTINCT FROM ${exceptAgentId}`,
});

/** Null cents mean an unlimited share, because the company has no threshold left. */
const writeAllowance = statement('write-allowance', {
  takes: { agentId: 'uuid', cents: 'bigint?' },
  gives: {},
  sql: ({ agentId, cents }) => `
    UPDATE agent_month SET granted_cents = coalesce(${cents}, 9223372036854775807)
    WHERE agent_id = ${agentId} AND month = ${THIS_MONTH}`,
});

/**
 * On conflict, reads the clock again under the row lock. The timestamps of the insert were computed
 * before the wait, so they would be older than runs that started during the wait.
 */
const markCompanyMonth = statement('mark-company-month', {
  takes: { companyId: 'uuid', soft: 'bool', hard: 'bool' },
  gives: {},
  sql: ({ companyId, soft, hard }) => `
    INSERT INTO company_month (company_id, month, soft_alerted_at, hard_stopped_at)
    VALUES (${companyId}, ${THIS_MONTH}, CASE WHEN ${soft} THEN clock_timestamp() END,
      CASE WHEN ${hard} THEN clock_timestamp() END)
    ON CONFLICT (company_id, month) DO UPDATE SET
      soft_alerted_at = CASE WHEN ${soft} THEN
        coalesce(company_month.soft_alerted_at, clock_timestamp()) END,
      hard_stopped_at = CASE WHEN ${hard} THEN
        coalesce(company_month.hard_stopped_at, clock_timestamp()) END`,
});
