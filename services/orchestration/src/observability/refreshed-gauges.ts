import { withTimeout } from '@switchyard/async';

/** Several scrapers, and several replicas, must not become a load of their own. */
const MAX_AGE_MS = 2_000;
/** A page without these numbers is better than none: a slow database is when the others are wanted. */
const DEADLINE_MS = 1_000;

export interface RefreshedGauges {
  /** Brings the gauges up to date. Never throws; what could not be read in time is absent, never old. */
  refresh(): Promise<void>;
}

export interface RefreshTimes {
  maxAgeMs?: number;
  deadlineMs?: number;
}

/** Gauges that are read when a page is asked for; `forget` makes them absent. */
export function createRefreshedGauges<State>(
  gauges: {
    read(): Promise<State>;
    show(state: State): void;
    forget(): void;
    onFailure(): void;
  },
  { maxAgeMs = MAX_AGE_MS, deadlineMs = DEADLINE_MS }: RefreshTimes = {},
): RefreshedGauges {
  let reading: Promise<State> | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  gauges.forget();
  return {
    refresh: async () => {
      if (performance.now() - shownAt < maxAgeMs) return;
      // A read that is late goes on and the next page takes its answer: none is started beside it.
      reading ??= gauges.read().finally(() => {
        reading = null;
      });
      try {
        gauges.show(await withTimeout(reading, deadlineMs));
        shownAt = performance.now();
      } catch {
        gauges.onFailure();
        gauges.forget();
      }
    },
  };
}
