import { type Loop, repeat } from '@switchyard/async';
import { ask, statement } from '@switchyard/db';
import { errorFields, logRepeated } from '@switchyard/server';
import type { Context } from '../../../kernel/context';
import { claimDue } from './claim-due';

const LEFT_OVER_MS = 50;

/** Checks every `sweepMs`, because schedules may change, or earlier if a schedule is due. */
export function startSchedules(context: Context): Loop {
  const { config, logger } = context;
  return repeat(async (closing) => {
    try {
      let pauseMs = await untilNext(context);
      if (pauseMs > 0) return pauseMs;
      while (!closing.aborted && (await claimDue(context)));
      pauseMs = await untilNext(context);
      return pauseMs > 0 ? pauseMs : LEFT_OVER_MS;
    } catch (error) {
      logRepeated(
        logger,
        'warn',
        'schedules could not be claimed; the next round retries',
        errorFields(error),
      );
      return config.sweepMs;
    }
  });
}

async function untilNext({ config, db }: Context): Promise<number> {
  const [next] = await ask(db, nextSchedule, {});
  return Math.min(config.sweepMs, Math.ceil(Math.max(0, next?.ms ?? config.sweepMs)));
}

const nextSchedule = statement('next-schedule', {
  takes: {},
  gives: { ms: 'float?' },
  sql: () => `
    SELECT extract(epoch FROM min(next_run_at) - clock_timestamp())::float8 * 1000 AS ms
    FROM routine_trigger WHERE next_run_at IS NOT NULL`,
});
