import { ask, bind, statement, trip } from '@switchyard/db';
import { recordActivities } from '../../kernel/activity';
import { SYSTEM } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { liftBudgetPause } from '../agents/transitions';
import { nextThreshold, softThreshold } from '../budgets/budget';
import { THIS_MONTH } from '../budgets/month';
import { pauseAgent } from '../runs/pause-agent';
import { isActive } from '../statuses/agent-status';
import { isLiveSql } from '../statuses/run-status';

/**
 * Locks an agent's spend. Requires the agent's lock. Locks the run before the month, in the same
 * order as the recording of usage.
 */
export async function lockSpend(tx: Tx, agentId: string, runId: string | null): Promise<void> {
  await trip(tx, [bind(lockRuns, { agentId, runId })], lockMonth, { agentId });
}

/**
 * Applies an agent's budget: records due alerts, pauses the agent at 100 %, and lifts a budget
 * pause below 100 %. Includes `addedCents`, which are not stored yet. Requires the locks of
 * `lockSpend` and of the agent.
 */
export async function enforceAgentBudget(tx: Tx, agentId: string, addedCents = 0): Promise<void> {
  const [found] = await ask(tx, readAgentBudget, { agentId });
  if (!found) return;
  const { companyId, status, pauseReason, budgetCents, month } = found;
  const spendCents = found.costCents + addedCents;
  const reached = {
    soft: budgetCents > 0 && spendCents >= softThreshold(budgetCents),
    hard: budgetCents > 0 && spendCents >= budgetCents,
  };
  for (const kind of ['soft_alert', 'hard_stop'] as const) {
    const at = kind === 'soft_alert' ? 'soft' : 'hard';
    if (!reached[at] || found[at]) continue;
    tx.afterCommit(() => tx.context.metrics.budgetEvents.inc({ scope: 'agent', kind }));
    const details = { month, spendCents, budgetCents };
    const alert = { action: `budget.${kind}`, entityType: 'agent', entityId: agentId, details };
    await recordActivities(tx, [{ companyId, actor: SYSTEM, ...alert }]);
  }
  const marks = { soft: found.soft || reached.soft, hard: reached.hard };
  await ask(tx, markAgentMonth, { agentId, ...marks, watchAt: nextThreshold(budgetCents, marks) });
  const agent = { id: agentId, companyId };
  if (reached.hard && isActive(status)) {
    await pauseAgent(tx, agent, 'budget');
  }
  if (!reached.hard && status === 'paused' && pauseReason === 'budget') {
    await liftBudgetPause(tx, agent);
  }
}

const lockRuns = statement('lock-runs-of-agent', {
  takes: { agentId: 'uuid', runId: 'uuid?' },
  gives: {},
  sql: ({ agentId, runId }) => `
    SELECT FROM heartbeat_run
    WHERE (agent_id = ${agentId} AND ${isLiveSql('heartbeat_run')}) OR id = ${runId}
    ORDER BY id FOR NO KEY UPDATE`,
});

const lockMonth = statement('lock-agent-month', {
  takes: { agentId: 'uuid' },
  gives: {},
  sql: ({ agentId }) => `
    SELECT FROM agent_month WHERE agent_id = ${agentId} AND month = ${THIS_MONTH}
    FOR NO KEY UPDATE`,
});

const readAgentBudget = statement('read-agent-budget', {
  takes: { agentId: 'uuid' },
  gives: {
    companyId: 'uuid',
    status: 'text',
    pauseReason: 'text?',
    budgetCents: 'bigint',
    month: 'text',
    costCents: 'bigint',
    soft: 'bool',
    hard: 'bool',
  },
  sql: ({ agentId }) => `
    SELECT a.company_id AS "companyId", a.status, a.pause_reason AS "pauseReason",
      a.budget_monthly_cents AS "budgetCents", to_char(${THIS_MONTH}, 'YYYY-MM') AS month,
      coalesce(m.cost_cents, 0) AS "costCents", m.soft_alerted_at IS NOT NULL AS soft,
      m.hard_stopped_at IS NOT NULL AS hard
    FROM agent a LEFT JOIN agent_month m ON m.agent_id = a.id AND m.month = ${THIS_MONTH}
    WHERE a.id = ${agentId}`,
});

const markAgentMonth = statement('mark-agent-month', {
  takes: { agentId: 'uuid', soft: 'bool', hard: 'bool', watchAt: 'bigint?' },
  gives: {},
  sql: ({ agentId, soft, hard, watchAt }) => `
    UPDATE agent_month SET
      soft_alerted_at = CASE WHEN ${soft} THEN coalesce(soft_alerted_at, clock_timestamp()) END,
      hard_stopped_at = CASE WHEN ${hard} THEN coalesce(hard_stopped_at, clock_timestamp()) END,
      watch_at_cents = least(coalesce(${watchAt}, granted_cents), granted_cents)
    WHERE agent_id = ${agentId} AND month = ${THIS_MONTH}`,
});
