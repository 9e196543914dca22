import type { Transaction } from '@switchyard/db';
import { SYSTEM } from '../../access/actor';
import { recordActivities } from '../activity';
import { type BudgetMarks, nextThreshold } from './budget';
import { THIS_MONTH } from './month';

interface Position extends BudgetMarks {
  companyId: string;
  budgetCents: number;
  month: string;
}

const READ = `
  SELECT c.id AS "companyId", c.budget_monthly_cents::float8 AS "budgetCents",
    to_char(${THIS_MONTH}, 'YYYY-MM') AS month,
    m.soft_alerted_at IS NOT NULL AS soft, m.hard_stopped_at IS NOT NULL AS hard
  FROM company c LEFT JOIN company_month m ON m.company_id = c.id AND m.month = ${THIS_MONTH}
  WHERE c.id = $1::uuid`;

const GRANTED = `
  SELECT coalesce(sum(greatest(granted_cents, cost_cents)), 0)::float8 AS cents,
    count(*)::int AS agents FROM agent_month
  WHERE company_id = $1::uuid AND month = ${THIS_MONTH}
    AND agent_id IS DISTINCT FROM $2::uuid`;

// A month that begins while this runs is reclaimed too.
const RECLAIM = `
  UPDATE agent_month SET granted_cents = cost_cents, watch_at_cents = 0
  WHERE company_id = $1::uuid AND month >= ${THIS_MONTH} AND granted_cents > cost_cents
    AND agent_id IS DISTINCT FROM $2::uuid`;

const GRANT = `
  UPDATE agent_month SET granted_cents = coalesce($2::bigint, 9223372036854775807)
  WHERE agent_id = $1::uuid AND month = ${THIS_MONTH}`;

const MARK = `
  INSERT INTO company_month (company_id, month, soft_alerted_at, hard_stopped_at)
  VALUES ($1::uuid, ${THIS_MONTH}, CASE WHEN $2 THEN clock_timestamp() END,
    CASE WHEN $3 THEN clock_timestamp() END)
  ON CONFLICT (company_id, month) DO UPDATE SET
    soft_alerted_at = CASE WHEN $2 THEN
      coalesce(company_month.soft_alerted_at, excluded.soft_alerted_at) END,
    hard_stopped_at = CASE WHEN $3 THEN
      coalesce(company_month.hard_stopped_at, excluded.hard_stopped_at) END`;

async function position(tx: Transaction, companyId: string): Promise<Position> {
  const [found] = await tx.prisma.$queryRawUnsafe<[Position]>(READ, companyId);
  return found;
}

interface Granted {
  cents: number;
  agents: number;
}

async function granted(
  tx: Transaction,
  companyId: string,
  exceptAgentId: string | null,
): Promise<Granted> {
  const [sum] = await tx.prisma.$queryRawUnsafe<[Granted]>(GRANTED, companyId, exceptAgentId);
  return sum;
}

/** Says each threshold that the spend has reached and that was not said this month. */
async function announceReached(
  tx: Transaction,
  at: Position,
  spendCents: number,
): Promise<Position> {
  let marks: Position = at;
  for (;;) {
    const threshold = nextThreshold(at.budgetCents, marks);
    if (threshold === null || spendCents < threshold) return marks;
    marks = { ...marks, hard: marks.soft, soft: true };
    const action = marks.hard ? 'budget.hard_stop' : 'budget.soft_alert';
    tx.count(`company ${action}`);
    await recordActivities(tx, [
      {
        companyId: at.companyId,
        actor: SYSTEM,
        action,
        entityType: 'company',
        entityId: at.companyId,
        details: { month: at.month, spendCents, budgetCents: at.budgetCents },
      },
    ]);
    await tx.prisma.$executeRawUnsafe(MARK, at.companyId, marks.soft, marks.hard);
  }
}

/** No agent is given less than this fraction of what is left, however many there are. */
const SMALLEST_SHARE = 8;

/**
 * Gives an agent a part of what its company may still spend before the company's next threshold, and
 * leaves some of what nobody holds for the others. Below its part an agent's events need not look
 * at the company, whose total no row counts. When too little is left, all parts are taken back: then
 * the total is exact, and what it reaches is said. Needs the locks of the company and of the agent's
 * month.
 */
export async function grantSpend(
  tx: Transaction,
  companyId: string,
  agentId: string,
  agentCents: number,
): Promise<void> {
  let at = await position(tx, companyId);
  let others = await granted(tx, companyId, agentId);
  const room = () => {
    const threshold = nextThreshold(at.budgetCents, at);
    return threshold === null ? Number.POSITIVE_INFINITY : threshold - others.cents - agentCents;
  };
  if (room() <= 0) {
    await tx.prisma.$executeRawUnsafe(RECLAIM, companyId, agentId);
    others = await granted(tx, companyId, agentId);
    at = await announceReached(tx, at, others.cents + agentCents);
  }
  const share = Math.min(others.agents + 1, SMALLEST_SHARE);
  const part = agentCents + Math.ceil(room() / share);
  await tx.prisma.$executeRawUnsafe(GRANT, agentId, Number.isFinite(part) ? String(part) : null);
}

/**
 * Brings a company in line with another budget: every event looks again, and what the spend has reached
 * already is said at once. Needs the company's lock; takes those of its agents, so that no start slips
 * between.
 */
export async function settleCompanyBudget(tx: Transaction, companyId: string): Promise<void> {
  await tx.prisma.$queryRaw`
    SELECT 1 FROM agent WHERE company_id = ${companyId}::uuid ORDER BY id FOR NO KEY UPDATE`;
  await tx.prisma.$executeRawUnsafe(RECLAIM, companyId, null);
  const at = await position(tx, companyId);
  const { cents: spendCents } = await granted(tx, companyId, null);
  const hard = at.hard && at.budgetCents > 0 && spendCents >= at.budgetCents;
  if (at.hard && !hard) await tx.prisma.$executeRawUnsafe(MARK, companyId, at.soft, false);
  await announceReached(tx, { ...at, hard }, spendCents);
}
