import { conflict } from '@switchyard/server';
import {
  canonicalAdapterType,
  type ReportedUsageView,
  type ReportUsageBody,
} from '@switchyard/types';
import { inTransaction, systemCall } from '../../../kernel/call';
import { storeUsage } from '../../../state/costs/record-usage';
import { advanceUsage } from '../../../state/runs/claims/advance-usage';
import {
  type HeldRun,
  heldRun,
  staleTicket,
  type Ticket,
} from '../../../state/runs/claims/held-runs';
import { recordCallSpan } from '../../../state/runs/run-trace';
import { type RunnerCall, ticketOf } from '../runner-call';

/**
 * Records each sequence number once. A spent budget stops the agent.
 * @throws ApiError 409 `stale_ticket`, or `conflict` with `usageSeq` if an earlier report is
 * missing
 */
export async function reportUsage(
  call: RunnerCall,
  runId: string,
  body: ReportUsageBody,
): Promise<ReportedUsageView> {
  const ticket = ticketOf(call, runId);
  const run = await heldRun(call.db, ticket);
  if (run.status !== 'running') throw staleTicket();
  if (body.seq <= run.usageSeq) return { usageSeq: run.usageSeq };
  if (body.seq > run.usageSeq + 1) {
    const message = `seq must be at most ${run.usageSeq + 1}: the last report of this claim has number ${run.usageSeq}`;
    throw conflict('conflict', message, { usageSeq: run.usageSeq });
  }
  try {
    await storeOnce(call, ticket, run, body);
    recordCallSpan(run, body, call.context.clock.now());
  } catch (error) {
    if (!(error instanceof NotAdvanced)) throw error;
    const { status, usageSeq } = await heldRun(call.db, ticket);
    if (status !== 'running' || usageSeq < body.seq) throw staleTicket();
  }
  return { usageSeq: body.seq };
}

class NotAdvanced extends Error {}

async function storeOnce(
  { context }: RunnerCall,
  ticket: Ticket,
  run: HeldRun,
  { seq, source, usage, sessionId }: ReportUsageBody,
): Promise<void> {
  const { counted, ...used } = usage;
  const report = { ...used, ...(counted && { counted }) };
  await inTransaction(systemCall(context, run.companyId), async (tx) => {
    const adapterType = canonicalAdapterType(run.adapterType ?? '');
    await storeUsage(tx, run, adapterType, report, sessionId ?? null, source);
    if (!(await advanceUsage(tx, ticket, seq))) throw new NotAdvanced();
  });
}
