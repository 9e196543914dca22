import { RETRYABLE, type RetriedRunsView, type RetryRunsBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockAgent } from '../../../state/agents/lock-agent';
import { isWaitingRunFull } from '../../../state/runs/enqueue-run';
import { readRun } from '../../../state/runs/runs';
import { retryRun } from '../retry-run';
import { changeRuns } from './change-runs';

/**
 * Retries only runs without a later retry, so the call is idempotent. An agent's retries join its
 * waiting run while that run has room.
 */
export async function retryRuns(call: Call, body: RetryRunsBody): Promise<RetriedRunsView> {
  const filter = { status: [...RETRYABLE], ...body.filter, retried: 'false' as const };
  const { done, ...rest } = await changeRuns(call, body, filter, (runId) => retryOnce(call, runId));
  return { retried: done, ...rest };
}

async function retryOnce(call: Call, runId: string) {
  return inTransaction(call, async (tx) => {
    const named = await readRun(tx, runId);
    if (named) await lockAgent(tx, named.agentId);
    const run = await readRun(tx, runId);
    if (run?.retriedByRunId) {
      return left('already_retried', `the run ${run.retriedByRunId} already retries this run`);
    }
    if (run && (await isWaitingRunFull(tx, run.agentId))) {
      return left('waiting_run_full', 'the waiting run of the agent cannot serve more wakes');
    }
    const { id: byRunId } = await retryRun(tx, runId);
    return { done: { runId, byRunId } };
  });
}

const left = (code: string, message: string) => ({ refusal: { code, message } });
