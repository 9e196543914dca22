import type { ReleaseRunBody } from '@switchyard/types';
import { heldRun, staleTicket } from '../../../state/runs/claims/held-runs';
import { POD_INSTANCE } from '../../../state/runs/claims/pod-instance';
import { requeueRun } from '../../../state/runs/requeue-run';
import { type RunnerCall, ticketOf } from '../runner-call';

/**
 * Another runner may take the run immediately.
 * @throws ApiError 409 `stale_ticket`
 */
export async function releaseRun(
  call: RunnerCall,
  runId: string,
  { isFault }: ReleaseRunBody,
): Promise<void> {
  const run = await heldRun(call.db, ticketOf(call, runId));
  if (run.status !== 'running') throw staleTicket();
  // An orderly stop of a pod counts as a loss, because it may be an eviction after the run has used
  // up the node's memory.
  const inOrder = run.instance === POD_INSTANCE ? 'loss' : 'nothing';
  await requeueRun(call.context, run, { cost: isFault ? 'attempt' : inOrder });
}
