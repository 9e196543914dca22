import { type Loop, repeat } from '@switchyard/async';
import { errorFields } from '@switchyard/server';
import { sweepIdempotency } from '../access/sweep-idempotency';
import type { Context } from '../context';
import { sweepAssets } from '../features/attachments/storage/sweep-assets';
import { sweepBudgets } from '../features/costs/sweep-budgets';
import { foldStatusChanges } from '../features/dashboard/fold-status-changes';
import { sweepFirings } from '../features/routines/firing/sweep-firings';
import { backfillSearch } from '../features/search/backfill-search';
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

/**
 * Sweeps every `sweepMs`, one round after the other. A timer in each worker rather than a job, because
 * a job would vanish with the Redis that the sweep makes good for.
 */
export function startSweeps(context: Context): Loop {
  const { config, logger, metrics } = context;
  return repeat(async () => {
    for (const each of SWEEPS) {
      await each(context).catch((error: unknown) => {
        metrics.sweepFailures.inc();
        logger.warn('a sweep failed; the next one repeats it', errorFields(error));
      });
    }
    return config.sweepMs;
  });
}
