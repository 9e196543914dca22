import { canonicalAdapterType, type HoldSessionBody } from '@switchyard/types';
import { rememberSession } from '../../../state/runs/agent-sessions';
import { heldRun, staleTicket } from '../../../state/runs/claims/held-runs';
import { type RunnerCall, ticketOf } from '../runner-call';

export async function holdSession(
  call: RunnerCall,
  runId: string,
  session: HoldSessionBody,
): Promise<void> {
  const run = await heldRun(call.db, ticketOf(call, runId));
  if (run.status !== 'running') throw staleTicket();
  await rememberSession(call.db, run, canonicalAdapterType(run.adapterType ?? ''), session);
}
