import { newId } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import type { CatchUpPolicy } from '@switchyard/types';
import type { Context } from '../../context';
import { type CatchUpPlan, planCatchUp } from './plan-catch-up';
import { FAILURES_BEFORE_MARK } from './settle-trigger';

/** Taken in random order out of the oldest, so that workers seldom ask for the same row. */
const BATCH = 50;
const OLDEST = 500;
const AT_ONCE = 4;
const MAX_BATCHES = 40;

const DUE = `
  SELECT * FROM (
    SELECT t.id, t.next_run_at AS "dueAt", t.cron_expression AS "cronExpression", t.timezone,
      r.catch_up_policy AS policy, clock_timestamp() AS now,
      r.status = 'active' AND c.status = 'active' AS active
    FROM routine_trigger t JOIN routine r ON r.id = t.routine_id JOIN company c ON c.id = t.company_id
    WHERE t.next_run_at <= clock_timestamp() ORDER BY t.next_run_at LIMIT ${OLDEST}
  ) due ORDER BY random() LIMIT ${BATCH}`;

/** Moves the schedule on and puts its firings down, both or neither; whoever comes second changes nothing. */
const CLAIM = `
  WITH claimed AS (
    UPDATE routine_trigger SET next_run_at = $3 WHERE id = $1::uuid AND next_run_at = $2
    RETURNING company_id, routine_id
  )
  INSERT INTO routine_run
    (id, company_id, routine_id, trigger_id, source, scheduled_for, triggered_at, hinted_at)
  SELECT fired.id, company_id, routine_id, $1::uuid, 'schedule', fired.at, clock_timestamp(), now()
  FROM claimed, unnest($4::uuid[], $5::timestamptz[]) AS fired(id, at)
  ON CONFLICT (trigger_id, scheduled_for) DO NOTHING RETURNING id`;

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

/** The runs that this claim has put down; none when another worker was first. */
async function claim(needs: Needs, due: Due): Promise<string[]> {
  const plan = await planOrMark(needs, due);
  if (!plan) return [];
  // What is due while the company or the routine is stopped does not fire, then or later.
  const times = due.active ? plan.fire.map((time) => new Date(time)) : [];
  const next = plan.nextRunAt === null ? null : new Date(plan.nextRunAt);
  const ids = times.map(() => newId());
  const values = [due.id, due.dueAt, next, ids, times];
  const runs = await needs.db.rows<{ id: string }>('claim-due', CLAIM, values);
  return runs.map(({ id }) => id);
}

/** One batch; `progressed` tells whether there may be more. */
async function claimBatch(needs: Needs): Promise<{ runIds: string[]; progressed: boolean }> {
  const waiting = await needs.db.rows<Due>('due-triggers', DUE, []);
  const isFull = waiting.length === BATCH;
  const runIds: string[] = [];
  let failures = 0;
  const lane = async () => {
    for (let due = waiting.pop(); due; due = waiting.pop()) {
      try {
        runIds.push(...(await claim(needs, due)));
      } catch (error) {
        failures++;
        const fields = { triggerId: due.id, ...errorFields(error) };
        needs.logger.warn('a schedule was not claimed', fields);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { runIds, progressed: isFull && failures < BATCH };
}

/**
 * Claims schedules that are due, each in a statement of its own; one that throws stops no other (guarantee
 * G13). Safe with any number of workers: the row's present due time is the lock. Claims come before
 * firings, so that a crowd is on record in time. Answers whether there may be more.
 */
export async function claimDue(needs: Needs): Promise<boolean> {
  const claimed: string[] = [];
  let more = true;
  for (let batch = 0; more && batch < MAX_BATCHES; batch++) {
    const { runIds, progressed } = await claimBatch(needs);
    claimed.push(...runIds);
    more = progressed;
  }
  const { hints } = needs;
  await Promise.all(claimed.map((id) => hints.hint('routine-firings', { routineRunId: id })));
  return more;
}
