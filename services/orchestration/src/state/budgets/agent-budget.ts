import type { Transaction } from '@switchyard/db';
import { SYSTEM } from '../../access/actor';
import { recordActivities } from '../activity';
import { haltRuns } from '../runs/halt-runs';
import { type BudgetMarks, nextThreshold, softThreshold } from './budget';
import { THIS_MONTH } from './month';

interface Position extends BudgetMarks {
  companyId: string;
  status: string;
  pauseReason: string | null;
  budgetCents: number;
  month: string;
  /** Null while nothing was spent this month. */
  costCents: number | null;
}

const READ = `
  SELECT a.company_id AS "companyId", a.status, a.pause_reason AS "pauseReason",
    a.budget_monthly_cents::float8 AS "budgetCents", to_char(${THIS_MONTH}, 'YYYY-MM') AS month,
    m.cost_cents::float8 AS "costCents", m.soft_alerted_at IS NOT NULL AS soft,
    m.hard_stopped_at IS NOT NULL AS hard
  FROM agent a LEFT JOIN agent_month m ON m.agent_id = a.id AND m.month = ${THIS_MONTH}
  WHERE a.id = $1::uuid`;

const MARK = `
  UPDATE agent_month SET
    soft_alerted_at = CASE WHEN $2 THEN coalesce(soft_alerted_at, clock_timestamp()) END,
    hard_stopped_at = CASE WHEN $3 THEN coalesce(hard_stopped_at, clock_timestamp()) END,
    watch_at_cents = least(coalesce($4::bigint, granted_cents), granted_cents)
  WHERE agent_id = $1::uuid AND month = ${THIS_MONTH}`;

/**
 * Locks what an agent's spend is decided over, with the agent locked already: first its runs, because
 * whoever records usage holds a run before the month, then the month.
 */
export async function lockSpend(
  tx: Transaction,
  agentId: string,
  runId: string | null,
): Promise<void> {
  await tx.prisma.$queryRaw`
    SELECT 1 FROM heartbeat_run
    WHERE (agent_id = ${agentId}::uuid AND status IN ('queued', 'running')) OR id = ${runId}::uuid
    ORDER BY id FOR NO KEY UPDATE`;
  await tx.prisma.$queryRawUnsafe(
    `SELECT 1 FROM agent_month WHERE agent_id = $1::uuid AND month = ${THIS_MONTH} FOR NO KEY UPDATE`,
    agentId,
  );
}

async function pause(tx: Transaction, agentId: string, companyId: string): Promise<void> {
  await tx.prisma.$executeRaw`
    UPDATE agent SET status = 'paused', pause_reason = 'budget', paused_at = clock_timestamp(),
      updated_at = now() WHERE id = ${agentId}::uuid`;
  await haltRuns(tx, [agentId], 'agent_budget');
  await recordActivities(tx, [
    {
      companyId,
      actor: SYSTEM,
      action: 'agent.paused',
      entityType: 'agent',
      entityId: agentId,
      details: { reason: 'budget' },
    },
  ]);
}

async function lift(tx: Transaction, agentId: string, companyId: string): Promise<void> {
  const running = await tx.prisma.heartbeatRun.count({ where: { agentId, status: 'running' } });
  await tx.prisma.agent.update({
    where: { id: agentId },
    data: { status: running > 0 ? 'running' : 'idle', pauseReason: null, pausedAt: null },
  });
  await recordActivities(tx, [
    {
      companyId,
      actor: SYSTEM,
      action: 'agent.resumed',
      entityType: 'agent',
      entityId: agentId,
      details: { from: 'paused', reason: 'budget' },
    },
  ]);
}

const STOPPABLE = ['idle', 'running', 'error'];

/**
 * Brings an agent in line with its budget, given what is about to be added to its month (guarantee
 * G19): says what is due and was not said this month, pauses at 100 %, and lifts a pause of the budget,
 * and no other, below it. Needs the locks of `lockSpend` and of the agent.
 */
export async function settleAgentBudget(
  tx: Transaction,
  agentId: string,
  addedCents = 0,
): Promise<void> {
  const [found] = await tx.prisma.$queryRawUnsafe<[Position]>(READ, agentId);
  const { companyId, status, budgetCents, month, costCents } = found;
  const spendCents = (costCents ?? 0) + addedCents;
  const reached = {
    soft: budgetCents > 0 && spendCents >= softThreshold(budgetCents),
    hard: budgetCents > 0 && spendCents >= budgetCents,
  };
  const alerts = [
    ...(reached.soft && !found.soft ? ['budget.soft_alert'] : []),
    ...(reached.hard && !found.hard ? ['budget.hard_stop'] : []),
  ];
  for (const action of alerts) {
    tx.count(`agent ${action}`);
    await recordActivities(tx, [
      {
        companyId,
        actor: SYSTEM,
        action,
        entityType: 'agent',
        entityId: agentId,
        details: { month, spendCents, budgetCents },
      },
    ]);
  }
  // A stop that was lifted may come again; the soft alert is said once a month.
  const marks = { soft: found.soft || reached.soft, hard: reached.hard };
  const watchAt = nextThreshold(budgetCents, marks);
  await tx.prisma.$executeRawUnsafe(
    MARK,
    agentId,
    marks.soft,
    marks.hard,
    watchAt && String(watchAt),
  );
  if (reached.hard && STOPPABLE.includes(status)) await pause(tx, agentId, companyId);
  const pausedByBudget = status === 'paused' && found.pauseReason === 'budget';
  if (!reached.hard && pausedByBudget) await lift(tx, agentId, companyId);
}
