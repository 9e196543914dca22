import type { Leases } from '../claim/leases';

export interface DrainDeadlines {
  /** Ms that running work may take to end by itself. */
  handOverAfterMs: number;
  isFault?: boolean;
}

/** Hands over what takes too long, so that a stop fits its grace. */
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
