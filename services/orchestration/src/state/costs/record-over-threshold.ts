import { ask, type RowOf, statement } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { Tx } from '../../kernel/call';
import { lockAgent } from '../agents/lock-agent';
import { THIS_MONTH } from '../budgets/month';
import { lockCompany } from '../companies/lock-company';
import { assertReference, assertReferenced } from '../references';
import { enforceAgentBudget, lockSpend } from './agent-budget';
import { reserveAllowance } from './company-budget';
import { isOpenSql } from './reserve-spend';
import { type Cost, type CostRow, findByKey, writeCost } from './write-cost';

/**
 * `outdated` means that another worker has the run, that the run has ended, or that the reservation
 * is already settled; nothing was written.
 */
export type Recorded = { event: CostRow; repeated: boolean } | 'outdated';

/**
 * Records an event that requires locks: the first event of a month, an event that reaches a
 * threshold, or an event that must be rejected. Locks company, agent, runs and month, in this
 * order.
 * @throws ApiError 403 `cross_company`, 422 `unknown_reference`, 422 for a run of another agent
 */
export async function recordOverThreshold(tx: Tx, cost: Cost): Promise<Recorded> {
  const { companyId, agentId, runId } = cost;
  await assertReference(tx, 'agent', agentId, 'agentId');
  await lockCompany(tx, companyId);
  await lockAgent(tx, agentId);
  await ask(tx, openMonth, { companyId, agentId });
  await lockSpend(tx, agentId, runId);
  if (!(await isRunOf(tx, cost)) || (await isSettled(tx, cost))) return 'outdated';
  const known = await findByKey(tx, cost);
  if (known) return { event: known, repeated: true };
  const [month] = await ask(tx, readMonthSpend, { agentId });
  const spent = month ?? { costCents: 0, budgetCents: 0 };
  const counted = cost.source === 'agent' ? boundedBy(spent, cost) : cost;
  const addedCents = counted.costCents ?? 0;
  await reserveAllowance(tx, agentId, spent.costCents + addedCents);
  await enforceAgentBudget(tx, agentId, addedCents);
  const event = await writeCost(tx, counted, true);
  if (!event) throw new Error('a cost event was not written, even after its budgets were enforced');
  return { event, repeated: false };
}

function boundedBy({ costCents: spent, budgetCents }: MonthSpend, cost: Cost): Cost {
  if (budgetCents === 0 || cost.costCents === null) return cost;
  const costCents = Math.min(cost.costCents, Math.max(0, budgetCents - spent));
  return { ...cost, costCents, disputedCents: cost.disputedCents + cost.costCents - costCents };
}

type MonthSpend = Pick<RowOf<typeof readMonthSpend>, 'costCents' | 'budgetCents'>;

async function isRunOf(tx: Tx, cost: Cost): Promise<boolean> {
  if (cost.runId === null) return true;
  const [run = null] = await ask(tx, readRunOfCost, { runId: cost.runId });
  if (cost.epoch !== null) return run?.epoch === cost.epoch && run.status === 'running';
  assertReferenced(run, cost.companyId, 'runId');
  if (run.agentId !== cost.agentId) {
    const details = { field: 'runId' };
    throw unprocessable(
      'semantic_error',
      'runId must be the id of a run of the same agent',
      details,
    );
  }
  return true;
}

async function isSettled(tx: Tx, { reservationId }: Cost): Promise<boolean> {
  if (reservationId === undefined) return false;
  return (await ask(tx, lockReservation, { reservationId })).length === 0;
}

const lockReservation = statement('lock-reservation', {
  takes: { reservationId: 'uuid' },
  gives: {},
  sql: ({ reservationId }) =>
    `SELECT FROM reservation v WHERE id = ${reservationId} AND ${isOpenSql('v')} FOR UPDATE`,
});

const readRunOfCost = statement('read-run-of-cost', {
  takes: { runId: 'uuid' },
  gives: { companyId: 'uuid', agentId: 'uuid', epoch: 'int', status: 'text' },
  sql: ({ runId }) => `
    SELECT company_id AS "companyId", agent_id AS "agentId", epoch, status FROM heartbeat_run WHERE id = ${runId}`,
});

const openMonth = statement('open-agent-month', {
  takes: { companyId: 'uuid', agentId: 'uuid' },
  gives: {},
  sql: ({ companyId, agentId }) => `
    INSERT INTO agent_month (company_id, agent_id, month)
    VALUES (${companyId}, ${agentId}, ${THIS_MONTH}) ON CONFLICT DO NOTHING`,
});

const readMonthSpend = statement('read-month-spend', {
  takes: { agentId: 'uuid' },
  gives: { costCents: 'bigint', budgetCents: 'bigint' },
  sql: ({ agentId }) => `
    SELECT m.cost_cents AS "costCents", a.budget_monthly_cents AS "budgetCents"
    FROM agent_month m JOIN agent a ON a.id = m.agent_id
    WHERE m.agent_id = ${agentId} AND m.month = ${THIS_MONTH}`,
});
