const READ_AGAIN_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;

/** The exchange's clock: ours may be wrong, and what is closed or recent is so by theirs. */
export interface ServerClock {
  now(): number;
  /** How far it is ahead of ours; null before it was read. */
  offsetMs(): number | null;
  isDue(): boolean;
  /** Reads it by `ask`, whose answer was true halfway between question and answer. */
  read(ask: () => Promise<number>): Promise<void>;
}

export function createServerClock(now: () => number): ServerClock {
  let offset: number | null = null;
  let readAgainAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => now() + (offset ?? 0),
    offsetMs: () => offset,
    isDue: () => now() >= readAgainAt,
    read: async (ask) => {
      // One reader at a time; a failure leaves the last offset and is tried again soon.
      readAgainAt = now() + AFTER_FAILURE_MS;
      const asked = now();
      const time = await ask();
      offset = Math.round(time - (asked + now()) / 2);
      readAgainAt = now() + READ_AGAIN_MS;
    },
  };
}
