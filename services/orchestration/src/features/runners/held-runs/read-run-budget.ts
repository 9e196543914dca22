import type { RunBudgetView } from '@switchyard/types';
import { readBudgets } from '../../../state/budgets/spent';
import { heldRun, staleTicket } from '../../../state/runs/claims/held-runs';
import { type RunnerCall, ticketOf } from '../runner-call';

export async function readRunBudget(call: RunnerCall, runId: string): Promise<RunBudgetView> {
  const run = await heldRun(call.db, ticketOf(call, runId));
  if (run.status !== 'running') throw staleTicket();
  return readBudgets(call.db, run.agentId);
}
