import type { HeartbeatRunView, InvokeHeartbeatBody } from '@switchyard/types';
import { assertReference } from '../../access/references';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction } from '../../call';
import { enqueueRun, invokeAtOnce, type Wake } from '../../state/runs/enqueue-run';
import { wakeHops } from '../../state/wakeups/wake-hops';
import { notInvokable } from './not-invokable';
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
    // A run that waits keeps its first issue, so no foreign key looks at the issue of a wake that joins it.
    if (wake.issueId) await assertReference(tx, 'issue', wake.issueId, 'issueId');
    const hops = call.runId ? await wakeHops(tx) : 0;
    if (hops > call.context.config.mentionHopCap) throw notInvokable(agentId, 'hop_limit');
    const admission = await enqueueRun(tx, { ...wake, hops });
    if (admission.outcome === 'skipped') throw notInvokable(agentId, admission.reason);
    const { run, outcome } = admission;
    await tx.record('heartbeat.invoked', run.id, { agentId, outcome, reason });
    return run;
  });
}
