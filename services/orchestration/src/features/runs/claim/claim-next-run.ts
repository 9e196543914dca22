import type { Context } from '../../../kernel/context';
import { type ClaimingRunner, claimRun } from '../../../state/runs/claim-run';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { WORKER } from '../../../state/runs/claims/takers';
import { findNextRun, type NextRun } from './find-waiting-run';
import type { RunSlots } from './run-slots';

export interface TakenRun {
  run: ClaimedRun;
  mayBeMore: boolean;
  leave(): void;
}

interface Claiming {
  context: Context;
  workerId: string;
  slots: RunSlots;
  runner?: ClaimingRunner;
}

const MAX_TRIES = 20;

/**
 * Claims a run for the company that is next by `runWeight`, if that company is below its share.
 * Returns null if there is nothing to claim.
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

async function claimInto(
  { context, workerId, slots, runner }: Claiming,
  run: NextRun,
): Promise<TakenRun | null> {
  const leave = run.isForTaker ? slots.take(run) : null;
  try {
    const claimed = await claimRun(context, run, workerId, {
      hasPlace: leave !== null,
      turn: runner?.taker.companyId ? null : run.turn,
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
