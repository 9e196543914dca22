import { ask, bind, type Database, type RowOf, statement, trip } from '@switchyard/db';
import { appliedCapsSql, exceedsSql } from '../budgets/applied-caps';
import { isHeldBySql, TICKET, type Ticket } from '../runs/claims/held-runs';

const EXPIRES_AFTER = `interval '1 hour'`;

export type Reservation = RowOf<typeof reserve>;

/**
 * Reserves the most that a model call can cost, or returns the tightest cap that it exceeds. Returns
 * null if the claim is outdated. The lock orders the reservations of a company, so each one sees
 * all earlier ones. A repeated request keeps its reservation.
 */
export async function reserveSpend(
  db: Database,
  ticket: Ticket,
  id: string,
  cents: number | null,
): Promise<Reservation | null> {
  const locks = [bind(lockReservations, { runId: ticket.runId })];
  const [reserved] = await trip(db, locks, reserve, { ...ticket, id, cents });
  return reserved ?? null;
}

export async function releaseReservation(db: Database, id: string): Promise<void> {
  await ask(db, release, { id });
}

const lockReservations = statement('lock-reservations', {
  takes: { runId: 'uuid' },
  gives: {},
  sql: ({ runId }) => `
    SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('spend of ' || company_id::text, 0))
      FROM heartbeat_run WHERE id = ${runId}) AS held`,
});

const reserve = statement('reserve-spend', {
  takes: { ...TICKET, id: 'uuid', cents: 'bigint?' },
  gives: {
    code: 'text?',
    capCents: 'bigint?',
    spentCents: 'bigint?',
    freeCents: 'bigint?',
    waits: 'bool?',
  },
  sql: (p) => `
    WITH run AS MATERIALIZED (
      SELECT r.id, r.company_id, r.agent_id FROM heartbeat_run r
      WHERE ${isHeldBySql('r', p)} AND r.status = 'running'
    ), tightest AS MATERIALIZED (
      SELECT cap.*, cap.spent < cap.cents AND ${p.cents} <= cap.free + cap.open AS waits
      FROM run CROSS JOIN LATERAL ${appliedCapsSql('run', p.id)} cap
      WHERE ${exceedsSql('cap', p.cents)} AND NOT EXISTS (SELECT FROM reservation WHERE id = ${p.id})
      ORDER BY waits NULLS FIRST, cap.free LIMIT 1
    ), reserved AS (
      INSERT INTO reservation (id, company_id, agent_id, run_id, ticket_hash, cents, created_at, expires_at)
      SELECT ${p.id}, company_id, agent_id, id, ${p.ticketHash}, coalesce(${p.cents}, 0),
        clock_timestamp(), clock_timestamp() + ${EXPIRES_AFTER}
      FROM run WHERE NOT EXISTS (SELECT FROM tightest)
      ON CONFLICT (id) DO NOTHING
    ), paused AS (
      INSERT INTO budget_pause (company_id, run_id, cents)
      SELECT run.company_id, run.id, ${p.cents} FROM run JOIN tightest ON NOT tightest.waits
      ON CONFLICT (run_id) DO UPDATE SET cents = excluded.cents
    )
    SELECT tightest.code, tightest.cents AS "capCents", tightest.spent AS "spentCents",
      tightest.free AS "freeCents", tightest.waits
    FROM run LEFT JOIN tightest ON true`,
});

const release = statement('release-reservation', {
  takes: { id: 'uuid' },
  gives: {},
  sql: ({ id }) => `DELETE FROM reservation WHERE id = ${id}`,
});
