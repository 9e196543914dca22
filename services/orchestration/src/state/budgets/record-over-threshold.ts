import type { Transaction } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import { assertReference, assertReferenced } from '../../access/references';
import { lockAgent } from '../agents/lock-agent';
import { lockSpend, settleAgentBudget } from './agent-budget';
import { grantSpend } from './company-budget';
import { THIS_MONTH } from './month';
import { type Cost, type CostRow, findByKey, writeCost } from './write-cost';

/** `outdated`: another worker has the run, or it has ended; nothing was written. */
export type Recorded = { event: CostRow; repeated: boolean } | 'outdated';

const OPEN_MONTH = `
  INSERT INTO agent_month (company_id, agent_id, month) VALUES ($1::uuid, $2::uuid, ${THIS_MONTH})
  ON CONFLICT DO NOTHING`;

const SPENT = `
  SELECT cost_cents::float8 AS cents FROM agent_month
  WHERE agent_id = $1::uuid AND month = ${THIS_MONTH}`;

/**
 * Answers false for a claim that is outdated.
 * @throws ApiError 403 `cross_company`, 422 `unknown_reference`, 422 for a run of another agent
 */
async function isRunOf(tx: Transaction, cost: Cost): Promise<boolean> {
  if (cost.runId === null) return true;
  const run = await tx.prisma.heartbeatRun.findUnique({
    where: { id: cost.runId },
    select: { companyId: true, agentId: true, epoch: true, status: true },
  });
  if (cost.epoch !== null) return run?.epoch === cost.epoch && run.status === 'running';
  assertReferenced(run, cost.companyId, 'runId');
  if (run.agentId !== cost.agentId) {
    const details = { field: 'runId' };
    throw unprocessable('semantic_error', 'runId names a run of another agent', details);
  }
  return true;
}

/**
 * Records what the plain statement left: the first event of a month, one that reaches what a budget
 * waits for, or one that is to be refused. What the event brings about (alerts, the pause of the agent,
 * the stop of its runs) commits with it or not at all (guarantee G19). Locks company, agent, runs,
 * month, in this order.
 * @throws ApiError 403 `cross_company`, 422 `unknown_reference`, 422 for a run of another agent
 */
export async function recordCrossing(tx: Transaction, cost: Cost): Promise<Recorded> {
  const { companyId, agentId, runId } = cost;
  await assertReference({ db: tx, companyId }, 'agent', agentId, 'agentId');
  await tx.prisma.$queryRaw`SELECT 1 FROM company WHERE id = ${companyId}::uuid FOR NO KEY UPDATE`;
  await lockAgent(tx, agentId);
  await tx.prisma.$executeRawUnsafe(OPEN_MONTH, companyId, agentId);
  await lockSpend(tx, agentId, runId);
  if (!(await isRunOf(tx, cost))) return 'outdated';
  const db = tx;
  const known = await findByKey(db, cost);
  if (known) return { event: known, repeated: true };
  const [spent] = await tx.prisma.$queryRawUnsafe<[{ cents: number }]>(SPENT, agentId);
  const addedCents = cost.costCents ?? 0;
  await grantSpend(tx, companyId, agentId, spent.cents + addedCents);
  await settleAgentBudget(tx, agentId, addedCents);
  const event = await writeCost(db, cost);
  if (!event) throw new Error('a cost event was refused though its budgets are settled');
  return { event, repeated: false };
}
