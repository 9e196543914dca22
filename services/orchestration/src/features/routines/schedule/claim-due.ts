import { errorFields } from '@switchyard/server';
import type { CatchUpPolicy } from '@switchyard/types';
import type { Context } from '../../../context';
import { FAILURES_BEFORE_MARK } from '../../../state/routines/settle-trigger';
import { claimPlanned, type PlannedClaim } from './claim-planned';
import { type CatchUpPlan, planCatchUp } from './plan-catch-up';

/** Taken in random order out of the oldest, so that workers seldom ask for the same row. */
const BATCH = 25;
const OLDEST = 500;
const MAX_BATCHES = 80;

const DUE = `
  SELECT * FROM (
    SELECT t.id, t.next_run_at AS "dueAt", t.cron_expression AS "cronExpression", t.timezone,
      r.catch_up_policy AS policy, clock_timestamp() AS now,
      r.status = 'active' AND c.status = 'active' AS active
    FROM routine_trigger t JOIN routine r ON r.id = t.routine_id JOIN company c ON c.id = t.company_id
    WHERE t.next_run_at <= clock_timestamp() ORDER BY t.next_run_at LIMIT ${OLDEST}
  ) due ORDER BY random() LIMIT ${BATCH}`;

const MARK = `
  UPDATE routine_trigger SET failure_count = failure_count + 1,
    failure_reason = CASE WHEN failure_count + 1 >= ${FAILURES_BEFORE_MARK} THEN $3 END,
    next_run_at = CASE WHEN failure_count + 1 >= ${FAILURES_BEFORE_MARK} THEN NULL ELSE next_run_at END
  WHERE id = $1::uuid AND next_run_at = $2`;

interface Due {
  id: string;
  dueAt: Date;
  cronExpression: string;
  timezone: string;
  policy: CatchUpPolicy;
  now: Date;
  active: boolean;
}

type Needs = Pick<Context, 'db' | 'hints' | 'config' | 'logger'>;

/** Null for a schedule that cannot be read: after some failures it is marked with the reason and let be. */
async function planOrMark({ db, config, logger }: Needs, due: Due): Promise<CatchUpPlan | null> {
  const at = { dueAt: due.dueAt.getTime(), now: due.now.getTime(), cap: config.routineCatchUpCap };
  try {
    return planCatchUp(due, due.policy, at);
  } catch (error) {
    logger.warn('a schedule cannot be read', { triggerId: due.id, ...errorFields(error) });
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await db.rows('mark-trigger', MARK, [due.id, due.dueAt, reason]);
    return null;
  }
}

async function planAll(needs: Needs, waiting: readonly Due[]): Promise<PlannedClaim[]> {
  const claims: PlannedClaim[] = [];
  for (const due of waiting) {
    const plan = await planOrMark(needs, due);
    if (!plan) continue;
    // What is due while the company or the routine is stopped does not fire, then or later.
    const times = due.active ? plan.fire.map((time) => new Date(time)) : [];
    const nextRunAt = plan.nextRunAt === null ? null : new Date(plan.nextRunAt);
    claims.push({ triggerId: due.id, dueAt: due.dueAt, nextRunAt, times });
  }
  return claims;
}

/**
 * Claims schedules that are due; one that throws stops no other (guarantee G13). Safe with any number of
 * workers: the row's present due time is the lock. Claims come before firings, so that a crowd is on record
 * in time. Answers whether there may be more.
 */
export async function claimDue(needs: Needs): Promise<boolean> {
  const claimed: string[] = [];
  let more = true;
  for (let batch = 0; more && batch < MAX_BATCHES; batch++) {
    const waiting = await needs.db.rows<Due>('due-triggers', DUE, []);
    const { moved, runIds } = await claimPlanned(needs, await planAll(needs, waiting));
    claimed.push(...runIds);
    more = waiting.length === BATCH && moved > 0;
  }
  const { hints } = needs;
  await Promise.all(claimed.map((id) => hints.hint('routine-firings', { routineRunId: id })));
  return more;
}
