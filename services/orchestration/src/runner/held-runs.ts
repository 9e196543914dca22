import type { RunAssignment } from '@switchyard/types';
import type { Claim } from './protocol/run-protocol';

/** `lost`: another claim has the run. `given_up`: a fault of this runner. */
type AbortReason = 'cancelled' | 'lost' | 'handed_over' | 'given_up';

export interface HeldRun {
  readonly claim: Claim;
  readonly signal: AbortSignal;
  /** Aborted when the server no longer accepts reports. */
  readonly isLost: AbortSignal;
  abortReason(): AbortReason | null;
  abort(reason: AbortReason): void;
}

export interface HeldRuns {
  all(): HeldRun[];
  /** Keeps the run until `work` is over. */
  hold(assignment: RunAssignment, work: (run: HeldRun) => Promise<void>): void;
  none(): Promise<void>;
}

/** `onFree` is called when a place becomes free. */
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
      // `lost` wins: nothing may be reported any more.
      reason = why === 'lost' ? why : (reason ?? why);
      if (why === 'lost') lost.abort(new Error('the run is held by another'));
      ending.abort();
    },
  };
}
