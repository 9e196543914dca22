import { ask, type Database, newId, statement } from '@switchyard/db';
import { FAILURES_BEFORE_MARK } from './settle-trigger';

export interface PlannedClaim {
  triggerId: string;
  /**
   * The due time that the caller has read; a trigger whose due time has changed since then is
   * skipped.
   */
  dueAt: string | Date;
  nextRunAt: string | Date | null;
  times: (string | Date)[];
}

export interface Claimed {
  moved: number;
  runIds: string[];
}

/**
 * Advances schedules and records their firings atomically. Skips rows that another worker has
 * locked, so it never waits or deadlocks.
 */
export async function claimSchedules(
  db: Database,
  claims: readonly PlannedClaim[],
): Promise<Claimed> {
  const planned = claims.map(({ triggerId: id, dueAt: due_at, nextRunAt: next }) => {
    return { id, due_at, next };
  });
  const firings = claims.flatMap(({ triggerId: trigger_id, times }) =>
    times.map((at) => ({ id: newId(), trigger_id, at })),
  );
  const [claimed] = await ask(db, claimPlanned, { planned, firings });
  return { moved: claimed?.moved ?? 0, runIds: claimed?.runIds ?? [] };
}

/**
 * Counts a failure of a schedule; after `FAILURES_BEFORE_MARK` failures, stores the reason and
 * clears the due time.
 */
export async function markSchedule(
  db: Database,
  triggerId: string,
  dueAt: string,
  reason: string,
): Promise<void> {
  await ask(db, markTrigger, { triggerId, dueAt, reason });
}

const claimPlanned = statement('claim-planned', {
  takes: { planned: 'json', firings: 'json' },
  gives: { moved: 'int?', runIds: 'uuid[]?' },
  sql: (p) => `
    WITH planned AS (
      SELECT * FROM jsonb_to_recordset(${p.planned}) AS planned(id uuid, due_at timestamptz, next timestamptz)
    ), free AS (
      SELECT t.id, planned.next FROM routine_trigger t JOIN planned USING (id)
      WHERE t.next_run_at = planned.due_at FOR NO KEY UPDATE OF t SKIP LOCKED
    ), claimed AS (
      UPDATE routine_trigger t SET next_run_at = free.next FROM free WHERE t.id = free.id
      RETURNING t.id, t.company_id, t.routine_id
    ), fired AS (
      INSERT INTO routine_run
        (id, company_id, routine_id, trigger_id, source, scheduled_for, triggered_at, hinted_at)
      SELECT firing.id, company_id, routine_id, claimed.id, 'schedule', firing.at, clock_timestamp(), now()
      FROM claimed JOIN jsonb_to_recordset(${p.firings})
        AS firing(id uuid, trigger_id uuid, at timestamptz) ON firing.trigger_id = claimed.id
      ON CONFLICT (trigger_id, scheduled_for) DO NOTHING RETURNING id
    ) SELECT (SELECT count(*)::int FROM claimed) AS moved, ARRAY(SELECT id FROM fired) AS "runIds"`,
});

const markTrigger = statement('mark-trigger', {
  takes: { triggerId: 'uuid', dueAt: 'time', reason: 'text' },
  gives: {},
  sql: (p) => `
    UPDATE routine_trigger SET failure_count = failure_count + 1,
      failure_reason = CASE WHEN failure_count + 1 >= ${FAILURES_BEFORE_MARK} THEN ${p.reason} END,
      next_run_at = CASE WHEN failure_count + 1 >= ${FAILURES_BEFORE_MARK} THEN NULL ELSE next_run_at END
    WHERE id = ${p.triggerId} AND next_run_at = ${p.dueAt}`,
});
