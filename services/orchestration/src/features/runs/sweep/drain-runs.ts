import { endProcesses } from '../../../adapters/agents/processes/end-processes';
import type { Leases } from '../claim/leases';

export interface DrainDeadlines {
  /** Milliseconds that running work may take to end by itself. */
  handOverAfterMs: number;
  /** Milliseconds after which an agent that was told to stop is killed, whatever its own grace. */
  killAfterMs: number;
  /** The worker was not asked to stop. */
  isFault?: boolean;
}

/**
 * Waits for `ended`, the end of all running work; hands over what takes too long, so that a stop fits
 * into the grace of whoever stops us and no agent outlives its worker.
 */
export async function drainRuns(
  leases: Leases,
  ended: Promise<unknown>,
  deadlines: DrainDeadlines,
): Promise<void> {
  const handOver = setTimeout(() => {
    for (const run of leases.tracked()) run.abort(deadlines.isFault ? 'given_up' : 'handed_over');
  }, deadlines.handOverAfterMs);
  const kill = setTimeout(() => {
    for (const { id } of leases.tracked()) {
      void endProcesses({ runId: id, identity: null, graceMs: 0 }).catch(() => undefined);
    }
  }, deadlines.killAfterMs);
  await ended;
  clearTimeout(handOver);
  clearTimeout(kill);
}
