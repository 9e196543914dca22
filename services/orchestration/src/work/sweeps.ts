import { type Loop, repeat } from '@switchyard/async';
import { ask, statement } from '@switchyard/db';
import { errorFields, logRepeated } from '@switchyard/server';
import { hasAnswersOverSql, sweepIdempotency } from '../access/sweep-idempotency';
import { hasExpiredAssetsSql, sweepAssets } from '../features/attachments/storage/sweep-assets';
import { forgetChecks, hasLeftChecksSql } from '../features/checks/claim-checks';
import { hasResumableAgentsSql, sweepBudgets } from '../features/costs/sweep-budgets';
import { foldStatusChanges, hasStatusChangesSql } from '../features/dashboard/fold-status-changes';
import { foldSearchChanges } from '../features/search/fold-search-changes';
import type { Context } from '../kernel/context';
import { continuePausedRuns, hasPausedRunsSql } from '../state/costs/continue-paused-runs';
import { hasExpiredReservationsSql, sweepReservations } from '../state/costs/sweep-reservations';
import { isForgottenSql, rehint } from '../state/rehint';
import { forgetSignatures, hasExpiredSignaturesSql } from '../state/routines/signatures';
import { endDetachedRuns, hasDetachedRunsOverSql } from '../state/runs/detach-run';

interface Sweep {
  isDue: string;
  work(context: Context): Promise<unknown>;
}

export const SWEEPS = {
  runs: {
    isDue: isForgottenSql('heartbeat-runs'),
    work: (context) => rehint(context, 'heartbeat-runs'),
  },
  wakeups: {
    isDue: isForgottenSql('mention-wakeups'),
    work: (context) => rehint(context, 'mention-wakeups'),
  },
  firings: {
    isDue: isForgottenSql('routine-firings'),
    work: (context) => rehint(context, 'routine-firings'),
  },
  detachedRuns: { isDue: hasDetachedRunsOverSql, work: endDetachedRuns },
  budgets: { isDue: hasResumableAgentsSql, work: sweepBudgets },
  reservations: { isDue: hasExpiredReservationsSql, work: sweepReservations },
  pausedRuns: { isDue: hasPausedRunsSql, work: continuePausedRuns },
  assets: { isDue: hasExpiredAssetsSql, work: sweepAssets },
  answers: { isDue: hasAnswersOverSql, work: sweepIdempotency },
  signatures: { isDue: hasExpiredSignaturesSql, work: forgetSignatures },
  checks: { isDue: hasLeftChecksSql, work: forgetChecks },
  statuses: { isDue: hasStatusChangesSql, work: foldStatusChanges },
} satisfies Record<string, Sweep>;

type SweepName = keyof typeof SWEEPS;

const NAMES = Object.keys(SWEEPS) as SweepName[];

/**
 * Interval in ms for folding search changes. Searches also read the changes that are not folded
 * yet, and become slower with their number.
 */
const FOLD_EVERY_MS = 1_000;

/**
 * Sweeps run on a timer in each worker instead of as jobs, because they make up for jobs that are
 * lost in Redis.
 */
export function startSweeps(context: Context): Loop {
  return repeat(async () => {
    for (const name of await dueSweeps(context)) {
      await guarded<unknown>(context, name, () => SWEEPS[name].work(context));
    }
    return context.config.sweepMs;
  });
}

export function startFolding(context: Context): Loop {
  return repeat(async (closing) => {
    await guarded(context, 'search', () => foldSearchChanges(context, closing));
    return FOLD_EVERY_MS;
  });
}

/**
 * Finds due sweeps with one query. If the query fails, returns all sweeps, so that one broken table
 * does not stop the others.
 */
export async function dueSweeps(context: Context): Promise<SweepName[]> {
  const [due] = (await guarded(context, 'due', () => ask(context.db, findDueSweeps, {}))) ?? [];
  return due ? NAMES.filter((name) => due[name]) : NAMES;
}

/**
 * In ms. A sweep that takes longer counts as failed but is not aborted, because the next one would
 * probably hang too.
 */
const LATE_MS = 60_000;

export async function guarded<T>(
  { logger, metrics }: Pick<Context, 'logger' | 'metrics'>,
  sweep: string,
  work: () => Promise<T>,
  lateMs = LATE_MS,
): Promise<T | undefined> {
  const late = setTimeout(() => {
    metrics.sweepFailures.inc();
    logRepeated(logger, 'error', 'a sweep has not ended', { sweep, ms: lateMs });
  }, lateMs);
  try {
    return await work();
  } catch (error) {
    metrics.sweepFailures.inc();
    logRepeated(logger, 'warn', 'a sweep failed; the next one retries', {
      sweep,
      ...errorFields(error),
    });
    return undefined;
  } finally {
    clearTimeout(late);
  }
}

export const findDueSweeps = statement('find-due-sweeps', {
  takes: {},
  gives: Object.fromEntries(NAMES.map((name) => [name, 'bool'])) as Record<SweepName, 'bool'>,
  sql: () => `SELECT ${NAMES.map((name) => `(${SWEEPS[name].isDue}) AS "${name}"`).join(',\n  ')}`,
});
