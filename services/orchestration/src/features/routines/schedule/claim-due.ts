import { ask, type RowOf, statement } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import type { CatchUpPolicy } from '@switchyard/types';
import type { Context } from '../../../kernel/context';
import { mayFireSql } from '../../../state/routines/active-run';
import { markSchedule, type PlannedClaim } from '../../../state/routines/claim-schedules';
import { claimPlanned } from './claim-planned';
import { type CatchUpPlan, planCatchUp } from './plan-catch-up';

const BATCH = 25;
const OLDEST = 500;
const MAX_BATCHES = 80;

type Needs = Pick<Context, 'db' | 'hints' | 'config' | 'logger'>;

/**
 * The row's due time acts as the lock, so any number of workers is safe. A failure does not stop
 * the other schedules. Returns true if there may be more.
 */
export async function claimDue(needs: Needs): Promise<boolean> {
  const { db, hints } = needs;
  const claimed: string[] = [];
  let more = true;
  for (let batch = 0; more && batch < MAX_BATCHES; batch++) {
    const waiting = await ask(db, dueTriggers, {});
    const { moved, runIds } = await claimPlanned(needs, await planAll(needs, waiting));
    claimed.push(...runIds);
    more = waiting.length === BATCH && moved > 0;
  }
  await Promise.all(claimed.map((id) => hints.hint('routine-firings', { routineRunId: id })));
  return more;
}

const dueTriggers = statement('due-triggers', {
  takes: {},
  gives: {
    id: 'uuid',
    dueAt: 'time?',
    cronExpression: 'text?',
    timezone: 'text?',
    policy: 'text',
    now: 'time',
    active: 'bool?',
  },
  sql: () => `
    SELECT * FROM (
      SELECT t.id, t.next_run_at AS "dueAt", t.cron_expression AS "cronExpression", t.timezone,
        r.catch_up_policy AS policy, clock_timestamp() AS now,
        ${mayFireSql('r', 'c')} AS active
      FROM routine_trigger t JOIN routine r ON r.id = t.routine_id JOIN company c ON c.id = t.company_id
      WHERE t.next_run_at <= clock_timestamp() ORDER BY t.next_run_at LIMIT ${OLDEST}
    ) due ORDER BY random() LIMIT ${BATCH}`,
});

type Due = RowOf<typeof dueTriggers>;

async function planAll(needs: Needs, waiting: readonly Due[]): Promise<PlannedClaim[]> {
  const claims: PlannedClaim[] = [];
  for (const due of waiting) {
    const plan = await planOrMark(needs, due);
    if (!plan) continue;
    // Excludes times at which the routine was inactive.
    const times = due.active ? plan.fire.map(isoOf) : [];
    const nextRunAt = plan.nextRunAt === null ? null : isoOf(plan.nextRunAt);
    claims.push({ triggerId: due.id, dueAt: String(due.dueAt), nextRunAt, times });
  }
  return claims;
}

const isoOf = (time: number) => new Date(time).toISOString();

async function planOrMark({ db, config, logger }: Needs, due: Due): Promise<CatchUpPlan | null> {
  const { id: triggerId, policy } = due;
  const dueAt = String(due.dueAt);
  const schedule = { cronExpression: String(due.cronExpression), timezone: String(due.timezone) };
  const at = { dueAt: Date.parse(dueAt), now: Date.parse(due.now), cap: config.routineCatchUpCap };
  try {
    return planCatchUp(schedule, policy as CatchUpPolicy, at);
  } catch (error) {
    logger.warn('a stored schedule is not valid', { triggerId, ...errorFields(error) });
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await markSchedule(db, triggerId, dueAt, reason);
    return null;
  }
}
