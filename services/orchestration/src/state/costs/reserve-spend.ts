import { ask, bind, type Database, type RowOf, statement, trip } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { appliedCapsSql, exceedsSql } from '../budgets/applied-caps';
import { isHeldBySql, TICKET, type Ticket } from '../runs/claims/held-runs';

const EXPIRES_AFTER = `interval '1 hour'`;
const CORRECTABLE_FOR = `interval '30 days'`;

/**
 * SQL: settles a reservation. The row stays for an hour without a ticket and without cents, so that
 * delayed and repeated requests for the same reservation change nothing.
 */
export const SETTLED_SQL = `cents = 0, ticket_hash = '', cost_event_id = NULL,
  expires_at = clock_timestamp() + ${EXPIRES_AFTER}`;

export const bookedSql = (eventId: string) =>
  `cents = 0, cost_event_id = ${eventId}, expires_at = clock_timestamp() + ${CORRECTABLE_FOR}`;

export const isOpenSql = (reservation: string) =>
  `(${reservation}.ticket_hash <> '' AND ${reservation}.cost_event_id IS NULL)`;

export interface ReservedCall {
  id: string;
  cents: number | null;
  provider: string;
  model: string | null;
}

export type Reservation = RowOf<typeof reserve>;

/**
 * Reserves the highest possible cost of a model call, or returns the tightest cap that this cost
 * exceeds. Returns null if the claim is outdated. A lock serialises the reservations of a company,
 * so each one sees all earlier ones. A repeated request keeps its reservation.
 * @throws ApiError 409 `conflict` if `id` is settled or belongs to another reservation
 */
export async function reserveSpend(
  db: Database,
  ticket: Ticket,
  call: ReservedCall,
): Promise<Reservation | null> {
  const locks = [bind(lockReservations, { runId: ticket.runId })];
  const [reserved] = await trip(db, locks, reserve, { ...ticket, ...call });
  if (reserved?.isTaken) {
    throw conflict(
      'conflict',
      'id is already used by another reservation or by a settled one: send a new id',
      {
        field: 'id',
      },
    );
  }
  return reserved ?? null;
}

export async function releaseReservation(db: Database, id: string): Promise<boolean> {
  const released = await ask(db, release, { id });
  return released.length > 0;
}

/**
 * Opens an empty reservation if a settlement arrives before the request to reserve, so that the use
 * is recorded and the delayed request reserves nothing.
 */
export async function openUnreserved(db: Database, ticket: Ticket, id: string): Promise<void> {
  await ask(db, openEmpty, { ...ticket, id });
}

const lockReservations = statement('lock-reservations', {
  takes: { runId: 'uuid' },
  gives: {},
  sql: ({ runId }) => `
    SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('spend of ' || company_id::text, 0))
      FROM heartbeat_run WHERE id = ${runId}) AS held`,
});

const reserve = statement('reserve-spend', {
  takes: { ...TICKET, id: 'uuid', cents: 'bigint?', provider: 'text', model: 'text?' },
  gives: {
    code: 'text?',
    period: 'text?',
    capCents: 'bigint?',
    spentCents: 'bigint?',
    freeCents: 'bigint?',
    waits: 'bool?',
    isTaken: 'bool',
  },
  sql: (p) => `
    WITH run AS MATERIALIZED (
      SELECT r.id, r.company_id, r.agent_id, r.issue_id, r.routine_run_id FROM heartbeat_run r
      WHERE ${isHeldBySql('r', p)} AND r.status = 'running'
    ), known AS MATERIALIZED (
      SELECT v.run_id = run.id AND v.ticket_hash = ${p.ticketHash} AND v.cents = coalesce(${p.cents}, 0) AS same
      FROM run JOIN reservation v ON v.id = ${p.id}
    ), tightest AS MATERIALIZED (
      SELECT cap.*, cap.spent < cap.cents AND ${p.cents} <= cap.free + cap.open AS waits
      FROM run CROSS JOIN LATERAL ${appliedCapsSql('run', p.id)} cap
      WHERE ${exceedsSql('cap', p.cents)} AND NOT EXISTS (SELECT FROM known)
      ORDER BY waits NULLS FIRST, cap.free LIMIT 1
    ), reserved AS (
      INSERT INTO reservation (id, company_id, agent_id, run_id, ticket_hash, cents, provider, model, created_at, expires_at)
      SELECT ${p.id}, company_id, agent_id, id, ${p.ticketHash}, coalesce(${p.cents}, 0), ${p.provider},
        coalesce(${p.model}, 'unknown'), clock_timestamp(),
        clock_timestamp() + CASE WHEN ${p.cents} > 0 THEN ${EXPIRES_AFTER} ELSE ${CORRECTABLE_FOR} END
      FROM run WHERE NOT EXISTS (SELECT FROM tightest)
      ON CONFLICT (id) DO NOTHING
    ), paused AS (
      INSERT INTO budget_pause (company_id, run_id, cents)
      SELECT run.company_id, run.id, ${p.cents} FROM run JOIN tightest ON NOT tightest.waits
      ON CONFLICT (run_id) DO UPDATE SET cents = excluded.cents
    )
    SELECT tightest.code, tightest.period, tightest.cents AS "capCents", tightest.spent AS "spentCents",
      tightest.free AS "freeCents", tightest.waits, known.same IS false AS "isTaken"
    FROM run LEFT JOIN tightest ON true LEFT JOIN known ON true`,
});

const release = statement('release-reservation', {
  takes: { id: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ id }) => `
    UPDATE reservation v SET ${SETTLED_SQL} WHERE id = ${id} AND ${isOpenSql('v')} RETURNING id`,
});

const openEmpty = statement('open-unreserved-spend', {
  takes: { ...TICKET, id: 'uuid' },
  gives: {},
  sql: (p) => `
    INSERT INTO reservation (id, company_id, agent_id, run_id, ticket_hash, cents, created_at, expires_at)
    SELECT ${p.id}, r.company_id, r.agent_id, r.id, r.ticket_hash, 0, clock_timestamp(),
      clock_timestamp() + ${EXPIRES_AFTER}
    FROM heartbeat_run r WHERE ${isHeldBySql('r', p)}
    ON CONFLICT (id) DO NOTHING`,
});
