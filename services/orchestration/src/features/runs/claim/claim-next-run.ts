import type { Context } from '../../../context';
import { type ClaimedRun, claimRun, type WaitingRun } from '../../../state/runs/claim-run';
import { findNextRun } from './find-waiting-run';
import type { RunSlots } from './run-slots';

export interface TakenRun {
  run: ClaimedRun;
  /** Gives the place back. */
  leave(): void;
}

interface Claiming {
  context: Context;
  workerId: string;
  slots: RunSlots;
}

/** Claims that may be lost to other workers, or come to nothing, before the next hint is waited for. */
const MAX_TRIES = 20;

/**
 * Claims the run that is next in all fairness: of the company with the fewest running among those that wait and have not
 * their share of this worker. A hint, or a place that becomes free, is a permission to claim, whatever run it came for: as
 * many hints come as runs wait, so what one passes over another takes; and what is passed over because its company has its
 * share is claimed by the next place that this worker has free, or by the worker that a sweep hints. Null when there is
 * nothing to do.
 */
export async function claimNextRun(
  claiming: Claiming,
  hintedId: string | null,
): Promise<TakenRun | null> {
  const { context, slots } = claiming;
  const tried: string[] = [];
  while (!slots.isClosed() && tried.length < MAX_TRIES) {
    const next = await findNextRun(context.db, {
      hintedId,
      notOf: slots.full(),
      running: slots.runIds(),
      tried,
      maxRunning: context.config.maxRunningRunsPerCompany,
    });
    if (!next) return null;
    const taken = await claimInto(claiming, next);
    if (taken) return taken;
    tried.push(next.id);
  }
  return null;
}

/** Claims one run with the place that it takes; without a place it may still be ended. */
async function claimInto(
  { context, workerId, slots }: Claiming,
  run: WaitingRun,
): Promise<TakenRun | null> {
  const leave = slots.take(run);
  try {
    const claimed = await claimRun(context, run, workerId, { hasPlace: leave !== null });
    if (claimed && leave) return { run: claimed, leave };
    leave?.();
    return null;
  } catch (error) {
    leave?.();
    throw error;
  }
}
