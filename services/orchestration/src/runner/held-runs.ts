import type { RunAssignment } from '@switchyard/types';
import type { Claim } from './protocol/run-protocol';

/**
 * Why a run that is at work is ended: the server was asked to cancel it; somebody else has it; this runner stops, on
 * demand or by a fault of its own.
 */
type AbortReason = 'cancelled' | 'lost' | 'handed_over' | 'given_up';

export interface HeldRun {
  readonly claim: Claim;
  /** Ends its processes. */
  readonly signal: AbortSignal;
  /** Aborted when the server wants nothing more of it; what is still to be said is given up. */
  readonly isLost: AbortSignal;
  abortReason(): AbortReason | null;
  abort(reason: AbortReason): void;
}

export interface HeldRuns {
  all(): HeldRun[];
  /** Keeps the run among those that are held until `work` is over. */
  hold(assignment: RunAssignment, work: (run: HeldRun) => Promise<void>): void;
  /** Resolves when no run is held. */
  none(): Promise<void>;
}

/** The runs that this runner has; `onFree` is called when a place becomes free. */
export function createHeldRuns(onFree: () => void): HeldRuns {
  const held = new Map<HeldRun, Promise<void>>();
  return {
    all: () => [...held.keys()],
    hold: ({ runId, epoch, ticket }, work) => {
      const run = createHeldRun({ runId, epoch, ticket });
      const over = work(run).finally(() => {
        held.delete(run);
        onFree();
      });
      held.set(run, over);
    },
    none: async () => {
      while (held.size > 0) await Promise.allSettled(held.values());
    },
  };
}

function createHeldRun(claim: Claim): HeldRun {
  const ending = new AbortController();
  const lost = new AbortController();
  let reason: AbortReason | null = null;
  return {
    claim,
    signal: ending.signal,
    isLost: lost.signal,
    abortReason: () => reason,
    abort: (why) => {
      // Whatever it was ended for: once it is another's, nothing of it may be said.
      reason = why === 'lost' ? why : (reason ?? why);
      if (why === 'lost') lost.abort(new Error('the run is held by another'));
      ending.abort();
    },
  };
}
