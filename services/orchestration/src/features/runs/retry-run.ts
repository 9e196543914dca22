import { conflict, notFound } from '@switchyard/server';
import { type HeartbeatRunView, RETRYABLE } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
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
    const admission = await enqueueRun(tx, {
      agentId: run.agentId,
      source: 'retry',
      reason: null,
      issueId: run.issueId,
      routineRunId: run.routineRunId,
      retry: {
        ofRunId: run.id,
        retries: 0,
        delayMs: null,
        reasons: run.wakeReasons,
      },
    });
    if (admission.outcome === 'skipped') {
      throw notInvokable(run.agentId, admission.reason);
    }
    await tx.record('heartbeat.retried', runId, { byRunId: admission.run.id });
    return presentRun(admission.run);
  });
}
