import { ask, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';
import { lockAgents } from '../agents/lock-agent';
import { lockCompany } from '../companies/lock-company';
import { enforceAgentBudget, lockSpend } from './agent-budget';
import { enforceCompanyBudget } from './company-budget';
import { SETTLED_SQL } from './reserve-spend';
import type { Cost } from './write-cost';

type Use = Pick<Cost, 'provider' | 'model' | 'inputTokens' | 'outputTokens' | 'costCents'>;

const NO_USE = { provider: null, model: null, inputTokens: 0, outputTokens: 0, costCents: 0 };

/**
 * Replaces the highest cost of an expired reservation by the real use of its call, in the month in
 * which it was stored, and applies the budgets again. Returns false if another settlement has
 * replaced it.
 */
export async function correctCost(
  tx: Tx,
  { agentId, runId, reservationId }: { agentId: string; runId: string; reservationId: string },
  use: Use | null,
): Promise<boolean> {
  await lockCompany(tx, tx.companyId);
  await lockAgents(tx, tx.companyId);
  await lockSpend(tx, agentId, runId);
  const { provider, model, inputTokens, outputTokens, costCents } = use ?? NO_USE;
  const corrected = await ask(tx, correct, {
    ...{ reservationId, runId, provider, model, inputTokens, outputTokens },
    costCents: costCents ?? 0,
    unpriced: costCents === null,
  });
  if (corrected.length === 0) return false;
  await enforceAgentBudget(tx, agentId);
  await enforceCompanyBudget(tx);
  tx.announce(tx.companyId);
  return true;
}

const correct = statement('correct-cost', {
  takes: {
    reservationId: 'uuid',
    runId: 'uuid',
    provider: 'text?',
    model: 'text?',
    inputTokens: 'bigint',
    outputTokens: 'bigint',
    costCents: 'bigint',
    unpriced: 'bool',
  },
  gives: { id: 'uuid' },
  sql: (p) => {
    const added = (
      row: string,
    ) => `cost_cents = ${row}.cost_cents + ${p.costCents} - booked.cost_cents,
        input_tokens = ${row}.input_tokens + ${p.inputTokens},
        output_tokens = ${row}.output_tokens + ${p.outputTokens},
        unpriced_events = ${row}.unpriced_events + ${p.unpriced}::int`;
    return `
    WITH booked AS MATERIALIZED (
      SELECT v.id, v.run_id, e.id AS event_id, e.agent_id, e.cost_cents, e.created_at
      FROM reservation v JOIN cost_event e ON e.id = v.cost_event_id
      WHERE v.id = ${p.reservationId} AND v.run_id = ${p.runId} FOR UPDATE OF v
    ), month AS (
      UPDATE agent_month m SET ${added('m')} FROM booked
      WHERE m.agent_id = booked.agent_id
        AND m.month = date_trunc('month', booked.created_at AT TIME ZONE 'UTC')::date
    ), counted AS (
      UPDATE heartbeat_run r SET ${added('r')} FROM booked WHERE r.id = booked.run_id
    ), settled AS (
      UPDATE reservation v SET ${SETTLED_SQL} FROM booked WHERE v.id = booked.id
    )
    UPDATE cost_event e SET provider = coalesce(${p.provider}, e.provider), model = coalesce(${p.model}, e.model),
      input_tokens = ${p.inputTokens}, output_tokens = ${p.outputTokens}, cost_cents = ${p.costCents},
      unpriced = ${p.unpriced}, source = 'gateway'
    FROM booked WHERE e.id = booked.event_id
    RETURNING e.id`;
  },
});
