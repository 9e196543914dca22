import type { Loop } from '@switchyard/async';
import { ask, statement } from '@switchyard/db';
import type { Context } from '../../../kernel/context';
import { repeatWhenDue } from '../../../kernel/repeat-when-due';
import { claimDue } from './claim-due';

export function startSchedules(context: Context): Loop {
  return repeatWhenDue(context, {
    untilNext: async ({ db }) => (await ask(db, nextSchedule, {}))[0]?.ms ?? null,
    work: claimDue,
    warning: 'schedules could not be claimed; the next round retries',
  });
}

const nextSchedule = statement('next-schedule', {
  takes: {},
  gives: { ms: 'float?' },
  sql: () => `
    SELECT extract(epoch FROM min(next_run_at) - clock_timestamp())::float8 * 1000 AS ms
    FROM routine_trigger WHERE next_run_at IS NOT NULL`,
});
