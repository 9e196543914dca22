import type { Hints, Nudges } from '@switchyard/queue';

export type Waited = 'runs' | 'checks';

export const TOPICS: Record<Waited, string> = { runs: 'runners', checks: 'runner-checks' };

export function announceWork(nudges: Nudges, what: Waited): void {
  nudges.publish([TOPICS[what]]);
}

export function announcingRuns(hints: Hints, nudges: Nudges): Hints {
  return {
    hint: (queue, payload) => {
      if (queue === 'heartbeat-runs') announceWork(nudges, 'runs');
      return hints.hint(queue, payload);
    },
    close: () => hints.close(),
  };
}
