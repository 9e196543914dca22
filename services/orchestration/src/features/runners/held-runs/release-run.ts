import type { ReleaseRunBody } from '@switchyard/types';
import { heldRun, staleTicket } from '../../../state/runs/claims/held-runs';
import { requeueRun } from '../../../state/runs/requeue-run';
import { type RunnerCall, ticketOf } from '../runner-call';

/** Lets go of a run that its runner cannot finish, so that another takes it at once. @throws ApiError 409 `stale_ticket` */
export async function releaseRun(
  call: RunnerCall,
  runId: string,
  { isFault }: ReleaseRunBody,
): Promise<void> {
  const run = await heldRun(call.db, ticketOf(call, runId));
  if (run.status !== 'running') throw staleTicket();
  await requeueRun(call.context, run, { isFault });
}
