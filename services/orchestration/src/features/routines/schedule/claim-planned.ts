import { newId } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import type { Context } from '../../../context';

export interface PlannedClaim {
  triggerId: string;
  /** The due time that was seen; whoever has another one in its row by now is left alone. */
  dueAt: Date;
  nextRunAt: Date | null;
  /** The times that fire. */
  times: Date[];
}

interface Claimed {
  /** Schedules that were moved on. */
  moved: number;
  runIds: string[];
}

/**
 * Moves schedules on and puts their firings down, both or neither. Whoever comes second changes nothing; it
 * neither waits for the first nor can it deadlock with it, because rows in other hands are skipped.
 */
const CLAIM = `
  WITH planned AS (
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS planned(id, due_at, next)
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
    FROM claimed JOIN unnest($4::uuid[], $5::uuid[], $6::timestamptz[])
      AS firing(id, trigger_id, at) ON firing.trigger_id = claimed.id
    ON CONFLICT (trigger_id, scheduled_for) DO NOTHING RETURNING id
  ) SELECT (SELECT count(*)::int FROM claimed) AS moved, ARRAY(SELECT id FROM fired) AS "runIds"`;

async function claimTogether(
  { db }: Pick<Context, 'db'>,
  claims: readonly PlannedClaim[],
): Promise<Claimed> {
  const firings = claims.flatMap(({ triggerId, times }) => times.map((at) => ({ triggerId, at })));
  const [claimed] = await db.rows<Claimed>('claim-planned', CLAIM, [
    claims.map(({ triggerId }) => triggerId),
    claims.map(({ dueAt }) => dueAt),
    claims.map(({ nextRunAt }) => nextRunAt),
    firings.map(() => newId()),
    firings.map(({ triggerId }) => triggerId),
    firings.map(({ at }) => at),
  ]);
  return claimed as Claimed;
}

/**
 * Claims schedules in one statement, which costs a fifth of one for each. When it fails each is claimed
 * alone, so that one that throws stops no other (guarantee G13). Never throws.
 */
export async function claimPlanned(
  needs: Pick<Context, 'db' | 'logger'>,
  claims: readonly PlannedClaim[],
): Promise<Claimed> {
  const claimed: Claimed = { moved: 0, runIds: [] };
  if (claims.length === 0) return claimed;
  try {
    return await claimTogether(needs, claims);
  } catch (error) {
    const [only] = claims;
    if (claims.length === 1 && only) {
      const fields = { triggerId: only.triggerId, ...errorFields(error) };
      needs.logger.warn('a schedule was not claimed', fields);
      return claimed;
    }
  }
  for (const claim of claims) {
    const { moved, runIds } = await claimPlanned(needs, [claim]);
    claimed.moved += moved;
    claimed.runIds.push(...runIds);
  }
  return claimed;
}
