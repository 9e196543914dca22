import { errorFields } from '@switchyard/server';
import { sweepOrphans } from './collection/sweep-orphans';
import type { Context } from './context';
import { deleteOld } from './history/delete-old';
import { rollUp } from './history/roll-up';

export interface Background {
  stop(): Promise<void>;
}

/** Runs `work` again and again with a pause between; a failure is logged and the next turn comes. */
function repeat(context: Context, name: string, pauseMs: number, work: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let turn: Promise<void> = Promise.resolve();
  const next = () => {
    turn = work()
      .catch((error: unknown) => {
        context.logger.warn('background work failed', { name, ...errorFields(error) });
      })
      .then(() => {
        if (!isStopped) timer = setTimeout(next, pauseMs);
      });
  };
  next();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await turn;
  };
}

/** What happens without being asked for; safe with any number of processes. */
export function startBackground(context: Context): Background {
  const stops = [
    repeat(context, 'orphans', 30_000, () => sweepOrphans(context)),
    repeat(context, 'history', 60_000, async () => {
      await rollUp(context);
      await deleteOld(context);
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
