import { withTimeout } from '@switchyard/async';

const MAX_AGE_MS = 2_000;
/** In ms. While the database is slow, a page without these figures is better than no page. */
const DEADLINE_MS = 1_000;

export interface RefreshedGauges {
  refresh(): Promise<void>;
}

export interface RefreshTimes {
  maxAgeMs?: number;
  deadlineMs?: number;
}

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
      // A read that misses the deadline serves the next scrape, so that no second read starts.
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
