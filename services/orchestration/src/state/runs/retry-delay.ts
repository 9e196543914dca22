const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

/**
 * Milliseconds before a transient failure is tried again: doubled each time, capped, with full jitter
 * over its upper half so that agents which failed together do not return together.
 * `random` is in [0, 1).
 */
export function retryDelayMs(retries: number, random: number): number {
  const ceiling = Math.min(FIRST_MS * 2 ** retries, LONGEST_MS);
  return Math.round(ceiling / 2 + (random * ceiling) / 2);
}
