const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

/**
 * Returns the delay in ms before a transient failure is retried: exponential, capped, with jitter
 * over the upper half so that agents that failed together do not return together. `random` is in
 * [0, 1).
 */
export function retryDelayMs(retries: number, random: number): number {
  const ceiling = Math.min(FIRST_MS * 2 ** retries, LONGEST_MS);
  return Math.round(ceiling / 2 + (random * ceiling) / 2);
}
