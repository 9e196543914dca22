import type { RunAssignment } from '@switchyard/types';
import type { Claim } from './protocol/run-protocol';

/** `lost`: another claim has the run. `given_up`: this runner failed. */
type AbortReason = 'cancelled' | 'lost' | 'handed_over' | 'given_up';

export interface HeldRun {
  readonly claim: Claim;
  readonly signal: AbortSignal;
  readonly isLost: AbortSignal;
  abortReason(): AbortReason | null;
  abort(reason: AbortReason): void;
}

export interface HeldRuns {
  all(): HeldRun[];
  hold(assignment: RunAssignment, work: (run: HeldRun) => Promise<void>): void;
  ended(): Promise<void>;
}

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
    ended: async () => {
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
      // `lost` has priority, because the server accepts no more reports.
      reason = why === 'lost' ? why : (reason ?? why);
      if (why === 'lost') lost.abort(new Error('another claim holds the run'));
      ending.abort();
    },
  };
}
