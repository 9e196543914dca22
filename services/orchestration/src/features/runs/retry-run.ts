import { ask } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import { type HeartbeatRunView, RETRYABLE, type WakeReason } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { forgetPause } from '../../state/costs/continue-paused-runs';
import { enqueueRun } from '../../state/runs/enqueue-run';
import { readRun } from '../../state/runs/runs';
import { notInvokable } from './not-invokable';
import { presentRun } from './present-run';

export async function retryRun(call: Call, runId: string): Promise<HeartbeatRunView> {
  return inTransaction(call, async (tx) => {
    const run = await readRun(tx, runId);
    if (!run) throw notFound('heartbeat run');
    if (!RETRYABLE.some((status) => status === run.status)) {
      throw conflict('not_retryable', `a ${run.status} run cannot be retried`, {
        status: run.status,
        retry: false,
      });
    }
    await lockAgent(tx, run.agentId);
    const [pause] = await ask(tx, forgetPause, { runId });
    const held: WakeReason[] | null = pause?.wakes ?? null;
    const issueIds = held?.map(({ issueId }) => issueId) ?? [run.issueId];
    const isOfRun = issueIds.includes(run.issueId);
    const admission = await enqueueRun(tx, {
      agentId: run.agentId,
      source: 'retry',
      reason: null,
      issueId: isOfRun ? run.issueId : (issueIds.find((id) => id) ?? null),
      routineRunId: isOfRun ? run.routineRunId : null,
      retry: {
        ofRunId: run.id,
        retries: 0,
        delayMs: null,
        reasons: held ?? run.wakeReasons,
      },
    });
    if (admission.outcome === 'skipped') {
      throw notInvokable(run.agentId, admission.reason);
    }
    await tx.record('heartbeat.retried', runId, { byRunId: admission.run.id });
    return presentRun(admission.run);
  });
}
