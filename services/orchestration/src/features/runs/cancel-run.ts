import { conflict, notFound } from '@switchyard/server';
import type { HeartbeatRunView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { endWaitingRuns } from '../../state/runs/ending';
import { requestCancel } from '../../state/runs/halt-runs';
import { lockRun, readRun } from '../../state/runs/runs';
import { presentRun } from './present-run';

export async function cancelRun(call: Call, runId: string): Promise<HeartbeatRunView> {
  return inTransaction(call, async (tx) => {
    const named = await readRun(tx, runId);
    if (!named) throw notFound('heartbeat run');
    const { agentId } = named;
    await lockAgent(tx, agentId);
    const { status, isCancelRequested } = await lockRun(tx, runId);
    if (status !== 'cancelled' && !isCancelRequested) {
      if (status !== 'queued' && status !== 'running') throw hasEnded(status);
      await tx.record('heartbeat.cancel_requested', runId, { agentId, was: status });
      if (status === 'queued') await endWaitingRuns(tx, [agentId], 'cancelled');
      else await requestCancel(tx, [agentId], 'cancelled', runId);
    }
    return presentRun((await readRun(tx, runId)) ?? named);
  });
}

const hasEnded = (status: string) =>
  conflict('conflict', `the run has already ended with status ${status}`, { status, retry: false });
