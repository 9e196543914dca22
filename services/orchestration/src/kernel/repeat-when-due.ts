import { type Loop, repeat } from '@switchyard/async';
import { errorFields, logRepeated } from '@switchyard/server';
import type { Context } from './context';

const LEFT_OVER_MS = 50;

interface DueWork {
  untilNext(context: Context): Promise<number | null>;
  work(context: Context): Promise<boolean>;
  warning: string;
}

/** Checks when a row is due, and at least every `sweepMs`, because due times may change. */
export function repeatWhenDue(context: Context, { untilNext, work, warning }: DueWork): Loop {
  const { sweepMs } = context.config;
  const pause = async () =>
    Math.min(sweepMs, Math.ceil(Math.max(0, (await untilNext(context)) ?? sweepMs)));
  return repeat(async (closing) => {
    try {
      let pauseMs = await pause();
      if (pauseMs > 0) return pauseMs;
      while (!closing.aborted && (await work(context)));
      pauseMs = await pause();
      return pauseMs > 0 ? pauseMs : LEFT_OVER_MS;
    } catch (error) {
      logRepeated(context.logger, 'warn', warning, errorFields(error));
      return sweepMs;
    }
  });
}
