import { type Loop, repeat } from '@switchyard/async';
import { ask, statement } from '@switchyard/db';
import { errorFields, logRepeated } from '@switchyard/server';
import { hasAnswersOverSql, sweepIdempotency } from '../access/sweep-idempotency';
import type { Context } from '../context';
import { hasExpiredAssetsSql, sweepAssets } from '../features/attachments/storage/sweep-assets';
import { forgetChecks, hasLeftChecksSql } from '../features/checks/claim-checks';
import { hasResumableAgentsSql, sweepBudgets } from '../features/costs/sweep-budgets';
import { foldStatusChanges, hasStatusChangesSql } from '../features/dashboard/fold-status-changes';
import { foldSearchChanges } from '../features/search/fold-search-changes';
import { isForgottenSql, rehint } from '../state/rehint';
import { forgetSignatures, hasExpiredSignaturesSql } from '../state/routines/signatures';
import { endDetachedRuns, hasDetachedRunsOverSql } from '../state/runs/detach-run';

interface Sweep {
  /** SQL: whether there is anything to do. As quick as what waits is little, however large the tables are. */
  isDue: string;
  work(context: Context): Promise<unknown>;
}

/** Everything that looks for rows nobody has in hand; each entry is safe with any number of sweepers. */
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
  assets: { isDue: hasExpiredAssetsSql, work: sweepAssets },
  answers: { isDue: hasAnswersOverSql, work: sweepIdempotency },
  signatures: { isDue: hasExpiredSignaturesSql, work: forgetSignatures },
  checks: { isDue: hasLeftChecksSql, work: forgetChecks },
  statuses: { isDue: hasStatusChangesSql, work: foldStatusChanges },
} satisfies Record<string, Sweep>;

type SweepName = keyof typeof SWEEPS;

const NAMES = Object.keys(SWEEPS) as SweepName[];

/** What is written meanwhile is searched by the next search itself, which is the slower the more it finds. */
const FOLD_EVERY_MS = 1_000;

/**
 * Sweeps every `sweepMs`, one round after the other. A timer in each worker rather than a job, because
 * a job would vanish with the Redis that the sweep makes good for.
 */
export function startSweeps(context: Context): Loop {
  return repeat(async () => {
    for (const name of await dueSweeps(context)) {
      await guarded<unknown>(context, name, () => SWEEPS[name].work(context));
    }
    return context.config.sweepMs;
  });
}

/** Brings the entries of the search up to date, every second. */
export function startFolding(context: Context): Loop {
  return repeat(async (closing) => {
    await guarded(context, 'search', () => foldSearchChanges(context, closing));
    return FOLD_EVERY_MS;
  });
}

/** One question for all of them. Where it fails each is asked itself, so that a fault of one table keeps no other sweep from its work. */
export async function dueSweeps(context: Context): Promise<SweepName[]> {
  const [due] = (await guarded(context, 'due', () => ask(context.db, findDueSweeps, {}))) ?? [];
  return due ? NAMES.filter((name) => due[name]) : NAMES;
}

/** A sweep that takes longer counts as failed, though it goes on: the next one would meet the same. */
const LATE_MS = 60_000;

/** Returns undefined where the work failed. */
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
    logRepeated(logger, 'warn', 'a sweep failed; the next one repeats it', {
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
