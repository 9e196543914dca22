import { notFound, unprocessable } from '@switchyard/server';
import type { FiringPreview } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { databaseTime } from '../../../state/database-time';
import { wallTimeOf } from './local-time';
import { nextTimes, type Schedule } from './next-times';

/**
 * Previews as if the trigger were active and enabled.
 * @throws ApiError 422 for a trigger that is not a schedule
 */
export async function previewTrigger(
  { db }: Call,
  triggerId: string,
  { count }: { count: number },
): Promise<FiringPreview> {
  const trigger = await db.prisma.routineTrigger.findUnique({
    where: { id: triggerId },
    select: { kind: true, cronExpression: true, timezone: true },
  });
  if (!trigger) throw notFound('trigger');
  const { cronExpression, timezone, kind } = trigger;
  if (!cronExpression || !timezone) {
    throw unprocessable('semantic_error', `a ${kind} trigger has no schedule`, { kind });
  }
  return firingsOf({ cronExpression, timezone }, await databaseTime(db), count);
}

export function firingsOf(schedule: Schedule, after: number, count: number): FiringPreview {
  const { timezone } = schedule;
  const times = nextTimes(schedule, after, count);
  return {
    timezone,
    times: times.map((at) => ({ at: new Date(at).toISOString(), local: localText(timezone, at) })),
  };
}

function localText(zone: string, instant: number): string {
  const wall = wallTimeOf(zone, instant);
  const minutes = Math.round((wall - instant) / 60_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return `${new Date(wall).toISOString().slice(0, 23)}${offset}`;
}
