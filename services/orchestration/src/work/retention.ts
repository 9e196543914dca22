import { type Loop, repeat } from '@switchyard/async';
import { errorFields, logRepeated } from '@switchyard/server';
import { pruneActivity } from '../features/activity/prune-activity';
import { pruneSessions } from '../features/people/sessions/prune-sessions';
import { pruneTokens } from '../features/people/tokens/prune-tokens';
import { pruneRunFolders } from '../features/runs/sweep/prune-run-folders';
import { removeHomes } from '../features/runs/sweep/remove-homes';
import type { Context } from '../kernel/context';
import type { RetentionSettings } from '../settings/retention-settings';
import { pruneDeliveries } from '../state/deliveries/outbox';
import { pruneRunLogs } from '../state/runs/run-log';
import { pruneWakeups } from '../state/wakeups/prune-wakeups';

const BATCH = 1_000;
const PAUSE_MS = 60_000;
const DELIVERY_DAYS = 30;
type Prune = (
  context: Pick<Context, 'config' | 'db'>,
  days: number,
  batch: number,
) => Promise<number>;

/** Safe with any number of workers, because each pruner skips locked rows. */
const PRUNERS: readonly [keyof RetentionSettings, Prune][] = [
  ['runDays', pruneRunLogs],
  ['wakeupDays', pruneWakeups],
  ['activityDays', pruneActivity],
];

export async function prune(
  context: Pick<Context, 'config' | 'db' | 'logger'>,
  batch = BATCH,
  isOver = () => false,
): Promise<number> {
  const { config, logger } = context;
  let pruned = 0;
  const attempt = async (work: () => Promise<void>) =>
    work().catch((error: unknown) =>
      logRepeated(
        logger,
        'warn',
        'old rows could not be deleted; the next round retries',
        errorFields(error),
      ),
    );
  for (const [setting, pruner] of PRUNERS) {
    const days = config.retention[setting];
    if (days === 0) continue;
    await attempt(async () => {
      for (let count = 1; count > 0 && !isOver(); pruned += count) {
        count = await pruner(context, days, batch);
      }
    });
  }
  await attempt(async () => {
    for (let count = 1; count > 0 && !isOver(); pruned += count) {
      count = await pruneSessions(context, batch);
    }
  });
  await attempt(async () => {
    for (let count = 1; count > 0 && !isOver(); pruned += count) {
      count = await pruneTokens(context, batch);
    }
  });
  await attempt(async () => {
    for (let count = 1; count > 0 && !isOver(); pruned += count) {
      count = await pruneDeliveries(context.db, { days: DELIVERY_DAYS, most: batch });
    }
  });
  if (!isOver()) await attempt(() => removeHomes(context));
  const { runDays } = config.retention;
  if (runDays > 0 && !isOver()) {
    await attempt(async () => void (await pruneRunFolders(context, runDays, batch, isOver)));
  }
  return pruned;
}

export function startRetention(context: Context): Loop {
  return repeat(
    async (closing) => {
      await prune(context, BATCH, () => closing.aborted);
      return PAUSE_MS;
    },
    { firstMs: PAUSE_MS },
  );
}
