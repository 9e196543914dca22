import { hostname } from 'node:os';
import { endProcesses } from './end-processes';

const ORPHAN_GRACE_MS = 500;

/** Where the processes of a claim are, as its worker stored it. */
export interface ProcessPlace {
  host: string;
  pid: number;
  startedAt: string;
}

/**
 * Ends what a lost worker's attempt left on this host. A place that was never stored is looked for by the run's id;
 * another host's processes are that host's to end.
 */
export async function endLostProcesses(runId: string, place: ProcessPlace | null): Promise<void> {
  if (place && place.host !== hostname()) return;
  const identity = place && { pid: place.pid, startedAt: place.startedAt };
  await endProcesses({ runId, identity, graceMs: ORPHAN_GRACE_MS });
}
