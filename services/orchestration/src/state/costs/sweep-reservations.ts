import { anySql, ask, type RowOf, statement } from '@switchyard/db';
import { errorFields, logRepeated } from '@switchyard/server';
import { systemCall } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { recordCost } from './record-cost';

const BATCH = 200;

const EXPIRED = {
  from: 'reservation v',
  where: 'v.expires_at < now()',
  order: 'v.expires_at, v.id',
};

export const hasExpiredReservationsSql = anySql(EXPIRED);

/**
 * Stores the cents of each expired reservation as a cost event, because the provider may have
 * charged for the call. A late settlement corrects the event. Deletes reservations without cents. A
 * failed reservation is retried in a later call.
 */
export async function sweepReservations(context: Context): Promise<number> {
  await ask(context.db, deleteEmpty, {});
  const expired = await ask(context.db, findExpired, {});
  let booked = 0;
  for (const reservation of expired) {
    try {
      await book(context, reservation);
      booked++;
    } catch (error) {
      const fields = { reservationId: reservation.id, ...errorFields(error) };
      logRepeated(context.logger, 'warn', 'an expired reservation could not be stored', fields);
    }
  }
  return booked;
}

const book = (context: Context, { id, cents, createdAt, ...call }: RowOf<typeof findExpired>) =>
  recordCost(systemCall(context, call.companyId), {
    ...call,
    ...{ inputTokens: 0, outputTokens: 0, costCents: cents, disputedCents: 0 },
    ...{ issueId: null, projectId: null, epoch: null, idempotency: null, by: null },
    source: 'reservation',
    reservationId: id,
    occurredAt: createdAt,
  });

const findExpired = statement('find-expired-reservations', {
  takes: {},
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    runId: 'uuid',
    provider: 'text',
    model: 'text',
    cents: 'bigint',
    createdAt: 'time',
  },
  sql: () => `
    SELECT v.id, v.company_id AS "companyId", v.agent_id AS "agentId", v.run_id AS "runId", v.provider,
      v.model, v.cents, v.created_at AS "createdAt"
    FROM ${EXPIRED.from} WHERE ${EXPIRED.where} AND v.cents > 0 ORDER BY ${EXPIRED.order} LIMIT ${BATCH}`,
});

const deleteEmpty = statement('delete-empty-reservations', {
  takes: {},
  gives: {},
  sql: () => `DELETE FROM ${EXPIRED.from} WHERE ${EXPIRED.where} AND v.cents = 0`,
});
