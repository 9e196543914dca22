import type { Transaction } from '@switchyard/db';
import { invalidField } from '@switchyard/server';
import { databaseTime } from '../../../state/database-time';
import { isTimeZone } from './local-time';
import { nextTime, type Schedule } from './next-times';

export function assertSchedule(schedule: Schedule): void {
  if (!isTimeZone(schedule.timezone)) {
    throw invalidField('timezone', 'must be a time zone such as Europe/Berlin');
  }
  let next: number | null;
  try {
    next = nextTime(schedule, Date.now());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidField('cronExpression', `must be a cron expression: ${reason}`);
  }
  if (next === null) throw invalidField('cronExpression', 'must match at least one future time');
}

interface Stated {
  kind: string;
  enabled: boolean;
  cronExpression: string | null;
  timezone: string | null;
}

export async function nextRunAt(
  tx: Transaction,
  trigger: Stated,
  routine: { status: string },
): Promise<Date | null> {
  const { cronExpression, timezone } = trigger;
  if (routine.status !== 'active' || !trigger.enabled || !cronExpression || !timezone) return null;
  const next = nextTime({ cronExpression, timezone }, await databaseTime(tx));
  return next === null ? null : new Date(next);
}
