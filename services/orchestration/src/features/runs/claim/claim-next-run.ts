import type { Context } from '../../../context';
import { type ClaimingRunner, claimRun } from '../../../state/runs/claim-run';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { WORKER } from '../../../state/runs/claims/takers';
import { findNextRun, type NextRun } from './find-waiting-run';
import type { RunSlots } from './run-slots';

export interface TakenRun {
  run: ClaimedRun;
  /** False where nothing else waited when it was found. */
  mayBeMore: boolean;
  /** Gives the place back. */
  leave(): void;
}

interface Claiming {
  context: Context;
  workerId: string;
  slots: RunSlots;
  /** The runner that it is claimed for; a worker claims what no runner executes. */
  runner?: ClaimingRunner;
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
    const next = await findNextRun(context, {
      taker: claiming.runner?.taker ?? WORKER,
      hintedId,
      notOf: slots.full(),
      running: slots.runIds(),
      tried,
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
  { context, workerId, slots, runner }: Claiming,
  run: NextRun,
): Promise<TakenRun | null> {
  const leave = run.isForTaker ? slots.take(run) : null;
  try {
    const claimed = await claimRun(context, run, workerId, {
      hasPlace: leave !== null,
      ...(runner && { runner }),
    });
    if (claimed && leave) {
      const hasShare = slots.full().includes(run.companyId);
      return { run: claimed, mayBeMore: hasShare ? run.mayBeOther : run.mayBeMore, leave };
    }
    leave?.();
    return null;
  } catch (error) {
    leave?.();
    throw error;
  }
}
