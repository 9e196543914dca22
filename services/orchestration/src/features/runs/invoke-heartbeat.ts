import type { Transaction } from '@switchyard/db';
import { conflict, forbidden, unprocessable } from '@switchyard/server';
import type { HeartbeatRunView, InvokeHeartbeatBody } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction } from '../../call';
import { enqueueRun, invokeAtOnce, type Wake } from '../../state/runs/enqueue-run';
import { wakeHops } from '../../state/wakeups/wake-hops';
import { presentRun } from './present-run';

/**
 * Wakes an agent by hand; returns the run that will serve the wake.
 * @throws ApiError 403 for another agent, 403, 422 for an issue that is not the company's,
 * 409 `not_invokable` with the reason
 */
export async function invokeHeartbeat(
  call: Call,
  agentId: string,
  body: InvokeHeartbeatBody,
): Promise<HeartbeatRunView> {
  assertSelfOrBoard(call, agentId);
  const { reason = null, issueId = null, payload = null } = body;
  const wake: Wake = { agentId, source: 'manual', reason, issueId, payload };
  // Within a run an agent continues its chain of wakes, so that it cannot wake itself for ever.
  const run = call.runId ? null : await invokeAtOnce(call, wake);
  return presentRun(run ?? (await invokeInGeneral(call, wake)));
}

async function invokeInGeneral(call: Call, wake: Wake) {
  const { agentId, reason } = wake;
  return inTransaction(call, async (tx) => {
    if (wake.issueId) await assertIssue(tx, call.companyId, wake.issueId);
    const hops = call.runId ? await wakeHops(tx) : 0;
    if (hops > call.context.config.mentionHopCap) throw notInvokable(agentId, 'hop_limit');
    const admission = await enqueueRun(tx, { ...wake, hops });
    if (admission.outcome === 'skipped') throw notInvokable(agentId, admission.reason);
    const { run, outcome } = admission;
    await tx.record('heartbeat.invoked', run.id, { agentId, outcome, reason });
    return run;
  });
}

/** A run that waits keeps its first issue, so no foreign key looks at the issue of a wake that joins it. */
async function assertIssue(tx: Transaction, companyId: string, issueId: string): Promise<void> {
  const issue = await tx.prisma.issue.findUnique({
    where: { id: issueId },
    select: { companyId: true },
  });
  const details = { field: 'issueId' };
  if (!issue) throw unprocessable('unknown_reference', 'issueId does not exist', details);
  if (issue.companyId === companyId) return;
  throw forbidden('cross_company', 'issueId belongs to another company', details);
}

const notInvokable = (agentId: string, reason: string) =>
  conflict('not_invokable', 'the agent cannot be woken now', { agentId, reason, retry: false });
