import type { Leases } from '../claim/leases';

export interface DrainDeadlines {
  handOverAfterMs: number;
  isFault?: boolean;
}

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
