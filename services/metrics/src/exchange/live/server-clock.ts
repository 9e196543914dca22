const READ_AGAIN_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;

/**
 * Dates of answers are whole seconds, from any of the machines in front of an exchange. Less than what the reading of fills
 * allows for a clock that was read with an error, so that a step which is not noticed delays none.
 */
const STEP_MS = 5_000;

/** The exchange's clock: ours may be wrong, and what is closed or recent is so by theirs. */
export interface ServerClock {
  now(): number;
  /** How far it is ahead of ours; null before it was read. */
  offsetMs(): number | null;
  isDue(): boolean;
  /** How often a reading found that one of the clocks had been set. */
  steps(): number;
  /** True when an answer's date shows that one of the clocks was set since the last reading. */
  isDoubted(): boolean;
  /** Hears the date of an answer, in milliseconds, to what was asked and answered then by our clock. */
  hear(date: number, asked: number, answered: number): void;
  /** Reads it by `ask`, whose answer was true halfway between question and answer. */
  read(ask: () => Promise<number>): Promise<void>;
}

export function createServerClock(now: () => number): ServerClock {
  let offset: number | null = null;
  let readAgainAt = Number.NEGATIVE_INFINITY;
  /** How far dates of answers are ahead of our clock. Not `offset`: an exchange's date and its clock may differ, by a constant. */
  let dateOffset: number | null = null;
  let steps = 0;
  let isDoubted = false;
  let foundNothingAt: number | null = null;

  /** Where dates move and the clock does not, or the clock cannot be read, it is not read again with each answer. */
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
      // One reader at a time; a failure leaves the last offset and is tried again soon.
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
