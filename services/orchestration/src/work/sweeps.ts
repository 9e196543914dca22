import { type Loop, repeat } from '@switchyard/async';
import { errorFields } from '@switchyard/server';
import { sweepIdempotency } from '../access/sweep-idempotency';
import type { Context } from '../context';
import { sweepAssets } from '../features/attachments/storage/sweep-assets';
import { sweepBudgets } from '../features/costs/sweep-budgets';
import { foldStatusChanges } from '../features/dashboard/fold-status-changes';
import { sweepFirings } from '../features/routines/firing/sweep-firings';
import { backfillSearch } from '../features/search/backfill-search';
import { foldSearchChanges } from '../features/search/fold-search-changes';
import { rehint } from '../state/rehint';
import { endDetachedRuns } from '../state/runs/detach-run';

/** Everything that looks for rows nobody has in hand; each entry is safe with any number of sweepers. */
const SWEEPS: readonly ((context: Context) => Promise<unknown>)[] = [
  (context) => rehint(context, 'heartbeat-runs'),
  (context) => rehint(context, 'mention-wakeups'),
  endDetachedRuns,
  sweepBudgets,
  sweepAssets,
  sweepIdempotency,
  sweepFirings,
  foldStatusChanges,
  backfillSearch,
];

/** What is written meanwhile is searched by the next search itself, which is the slower the more it finds. */
const FOLD_EVERY_MS = 1_000;

/**
 * Sweeps every `sweepMs`, one round after the other. A timer in each worker rather than a job, because
 * a job would vanish with the Redis that the sweep makes good for.
 */
export function startSweeps(context: Context): Loop {
  return repeat(async () => {
    for (const each of SWEEPS) await sweep(context, () => each(context));
    return context.config.sweepMs;
  });
}

/** Brings the entries of the search up to date, every second. */
export function startFolding(context: Context): Loop {
  return repeat(async (closing) => {
    await sweep(context, () => foldSearchChanges(context, closing));
    return FOLD_EVERY_MS;
  });
}

async function sweep({ logger, metrics }: Context, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    metrics.sweepFailures.inc();
    logger.warn('a sweep failed; the next one repeats it', errorFields(error));
  }
}
