import type { HeartbeatRunView, InvokeHeartbeatBody } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { assertReference } from '../../state/references';
import { invokeAgent } from '../../state/runs/enqueue-run';
import { isOverHopCap, wakeHops } from '../../state/wakeups/wake-hops';
import { readCallback, storeCallback } from '../callbacks/request-callback';
import { notInvokable } from './not-invokable';
import { presentRun } from './present-run';

export async function invokeHeartbeat(
  call: Call,
  agentId: string,
  body: InvokeHeartbeatBody,
): Promise<HeartbeatRunView> {
  assertSelfOrBoard(call, agentId);
  const { reason = null, issueId = null, payload = null } = body;
  const callback = readCallback(call, body);
  // Checks the issue here, because no foreign key does so if the wake joins a waiting run: such a
  // run keeps the issue of its first wake.
  if (issueId) await assertReference(call, 'issue', issueId, 'issueId');
  const hops = call.runId ? await wakeHops(call) : 0;
  if (isOverHopCap(call, hops)) throw notInvokable(agentId, 'hop_limit');
  const wake = { agentId, source: 'manual', reason, issueId, payload, hops } as const;
  const invoke = async (inside: Call) => {
    const admission = await invokeAgent(inside, wake);
    if (admission.outcome === 'skipped') throw notInvokable(agentId, admission.reason);
    return presentRun(admission.run);
  };
  if (callback === null) return invoke(call);
  return inTransaction(call, async (tx) => {
    const run = await invoke(tx);
    await storeCallback(tx, callback, { type: 'run', id: run.id });
    return run;
  });
}
