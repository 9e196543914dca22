const READ_AGAIN_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;

/**
 * Smallest jump in ms that counts as a clock change: response dates have whole seconds and come
 * from several servers. Must be below CLOCK_ERROR_MS, so that an unnoticed change delays no event.
 */
const STEP_MS = 5_000;

export interface ServerClock {
  now(): number;
  offsetMs(): number | null;
  isDue(): boolean;
  steps(): number;
  isDoubted(): boolean;
  hear(date: number, asked: number, answered: number): void;
  read(ask: () => Promise<number>): Promise<void>;
}

export function createServerClock(now: () => number): ServerClock {
  let offset: number | null = null;
  let readAgainAt = Number.NEGATIVE_INFINITY;
  /**
   * Difference in ms between response dates and our clock. It may differ from `offset` by a
   * constant.
   */
  let dateOffset: number | null = null;
  let steps = 0;
  let isDoubted = false;
  let foundNothingAt: number | null = null;

  /**
   * True for a minute after an extra read of the clock failed or found no change. Prevents repeated
   * reads while only the response dates change.
   */
  const isMuted = () =>
    foundNothingAt !== null && Math.abs(now() - foundNothingAt) < AFTER_FAILURE_MS;

  return {
    now: () => now() + (offset ?? 0),
    offsetMs: () => offset,
    isDue: () => now() >= readAgainAt,
    steps: () => steps,
    isDoubted: () => isDoubted,
    hear: (date, asked, answered) => {
      if (dateOffset === null) dateOffset = date + 500 - (asked + answered) / 2;
      const early = asked + dateOffset - (date + 1_000);
      const late = date - (answered + dateOffset);
      if (Math.max(early, late) > STEP_MS && offset !== null && !isMuted()) isDoubted = true;
    },
    read: async (ask) => {
      const before = offset;
      foundNothingAt = isDoubted ? now() : null;
      isDoubted = false;
      dateOffset = null;
      readAgainAt = now() + AFTER_FAILURE_MS;
      const asked = now();
      const time = await ask();
      offset = Math.round(time - (asked + now()) / 2);
      readAgainAt = now() + READ_AGAIN_MS;
      if (before === null || Math.abs(offset - before) <= STEP_MS) return;
      steps++;
      foundNothingAt = null;
    },
  };
}
