const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

/**
 * Returns the delay in ms before a transient failure is retried: exponential and capped. Random
 * jitter over the upper half separates agents that failed together. `random` is in [0, 1).
 */
export function retryDelayMs(retries: number, random: number): number {
  const ceiling = Math.min(FIRST_MS * 2 ** retries, LONGEST_MS);
  return Math.round(ceiling / 2 + (random * ceiling) / 2);
}
