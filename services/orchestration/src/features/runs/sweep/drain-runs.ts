import type { Leases } from '../claim/leases';

export interface DrainDeadlines {
  /** Milliseconds that running work may take to end by itself. */
  handOverAfterMs: number;
  /** The worker was not asked to stop. */
  isFault?: boolean;
}

/**
 * Waits for `ended`, the end of all running work; hands over what takes too long, so that a stop fits
 * into the grace of whoever stops us.
 */
export async function drainRuns(
  leases: Leases,
  ended: Promise<unknown>,
  deadlines: DrainDeadlines,
): Promise<void> {
  const handOver = setTimeout(() => {
    leases.abortAll(deadlines.isFault ? 'given_up' : 'handed_over');
  }, deadlines.handOverAfterMs);
  await ended;
  clearTimeout(handOver);
}
