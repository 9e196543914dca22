import { ask, type Database, statement } from '@switchyard/db';
import type { SettleSpendBody } from '@switchyard/types';
import { inTransaction, systemCall } from '../../../kernel/call';
import { correctCost } from '../../../state/costs/correct-cost';
import { recordCost } from '../../../state/costs/record-cost';
import { openUnreserved, releaseReservation } from '../../../state/costs/reserve-spend';
import { TICKET, type Ticket } from '../../../state/runs/claims/held-runs';
import { recordCallSpan } from '../../../state/runs/run-trace';
import { type RunnerCall, ticketOf } from '../runner-call';

/**
 * Replaces a reservation by the real use of its call, once. Also accepts the settlement after the
 * run has ended, another claim has taken it over, or the reservation has expired, because the
 * provider charges for the call.
 */
export async function settleRunSpend(
  call: RunnerCall,
  runId: string,
  { id, usage, call: request }: SettleSpendBody,
): Promise<void> {
  const { context, db } = call;
  const ticket = ticketOf(call, runId);
  const reserved = (await read(db, ticket, id)) ?? (await readUnreserved(db, ticket, id));
  if (!reserved) return;
  const { companyId, agentId } = reserved;
  const system = systemCall(context, companyId);
  const settleOpen = async () => {
    if (usage === null) return releaseReservation(db, id);
    const recorded = await recordCost(system, {
      ...usage,
      companyId,
      agentId,
      runId: ticket.runId,
      epoch: null,
      reservationId: id,
      issueId: null,
      projectId: null,
      source: 'gateway',
      disputedCents: 0,
      occurredAt: null,
      idempotency: null,
      by: null,
    });
    return recorded !== 'outdated';
  };
  const correctBooked = async () => {
    if (!(await read(db, ticket, id))?.isBooked) return false;
    const about = { agentId, runId: ticket.runId, reservationId: id };
    return inTransaction(system, (tx) => correctCost(tx, about, usage));
  };
  if (!(await settleOpen()) && !(await correctBooked())) return;
  const run = { ...reserved, id: ticket.runId };
  await recordCallSpan(run, { usage, call: request }, context.clock.now());
}

async function read(db: Database, ticket: Ticket, id: string) {
  const [reserved = null] = await ask(db, readReservation, { ...ticket, id });
  return reserved;
}

async function readUnreserved(db: Database, ticket: Ticket, id: string) {
  await openUnreserved(db, ticket, id);
  return read(db, ticket, id);
}

const readReservation = statement('read-reservation', {
  takes: { ...TICKET, id: 'uuid' },
  gives: {
    companyId: 'uuid',
    agentId: 'uuid',
    isBooked: 'bool',
    epoch: 'int',
    traceContext: 'text?',
  },
  sql: (p) => `
    SELECT v.company_id AS "companyId", v.agent_id AS "agentId",
      v.cost_event_id IS NOT NULL AS "isBooked", r.epoch, r.trace_context AS "traceContext"
    FROM reservation v JOIN heartbeat_run r ON r.id = v.run_id
    WHERE v.id = ${p.id} AND v.run_id = ${p.runId} AND v.ticket_hash = ${p.ticketHash}
      AND (${p.runnerId} IS NULL OR r.company_id = (SELECT company_id FROM runner WHERE id = ${p.runnerId}))`,
});
