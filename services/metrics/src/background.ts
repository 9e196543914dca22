import { repeat } from '@switchyard/async';
import { errorFields, logRepeated } from '@switchyard/server';
import { collectOnSchedule } from './collection/turns/collect-on-schedule';
import type { Context } from './context';
import { checkKey } from './exchange/check-key';
import { deleteOld } from './history/delete-old';
import { rollUp } from './history/roll-up';
import type { Resources } from './resources';
import { openWebhooks } from './webhooks/deliver';
import { forgetEvents } from './webhooks/outbox';

export interface Background {
  stop(): Promise<void>;
}

export function startBackground(context: Context): Background {
  const { callTimeoutMs } = context.config;
  const webhooks = openWebhooks(context);
  const rounds = [
    repeatSafely(context, 'key', 60_000, () =>
      Promise.all(
        context.accounts.map((account) => checkKey(account, AbortSignal.timeout(callTimeoutMs))),
      ),
    ),
    repeatSafely(context, 'schedule', 2_000, () => collectOnSchedule(context)),
    repeatSafely(context, 'orphans', 30_000, () => sweepOrphans(context)),
    repeatSafely(context, 'history', 60_000, async () => {
      await rollUp(context);
      await deleteOld(context);
      await forgetEvents(context);
    }),
  ];
  return {
    stop: async () => {
      await Promise.all([webhooks, ...rounds].map((each) => each?.close()));
    },
  };
}

const repeatSafely = (
  context: Context,
  name: string,
  pauseMs: number,
  work: () => Promise<unknown>,
) =>
  repeat(async () => {
    await work().catch((error: unknown) => {
      logRepeated(context.logger, 'warn', 'background work failed', {
        name,
        ...errorFields(error),
      });
    });
    return pauseMs;
  });

export async function sweepOrphans({ db, logger }: Resources): Promise<number> {
  const { rowCount } = await db.pool.query(
    `UPDATE collection SET status = 'error', storage_status = 'failed', finished_at = now(),
       lease_until = NULL, error = 'the process ended during the collection'
     WHERE status = 'running' AND lease_until < now()`,
  );
  if (rowCount)
    logger.warn('marked the collections of an ended process as failed', { count: rowCount });
  return rowCount ?? 0;
}
