import type { SchedulePreview, SchedulePreviewQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { databaseTime } from '../../../state/database-time';
import { describeSchedule } from './describe-schedule';
import { assertSchedule } from './next-run-at';
import { firingsOf } from './preview-trigger';

export async function previewSchedule(
  { db }: Call,
  { count, ...schedule }: SchedulePreviewQuery,
): Promise<SchedulePreview> {
  assertSchedule(schedule);
  const { cronExpression, timezone } = schedule;
  const scheduleInWords = describeSchedule(cronExpression, timezone);
  return { scheduleInWords, ...firingsOf(schedule, await databaseTime(db), count) };
}
