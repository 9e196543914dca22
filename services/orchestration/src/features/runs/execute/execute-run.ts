import { setTimeout as delay } from 'node:timers/promises';
import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';
import { errorFields, isPassingFault, tracing, withLogContext } from '@switchyard/server';
import type { Context } from '../../../kernel/context';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { detachRun } from '../../../state/runs/detach-run';
import { finishRun } from '../../../state/runs/end-run';
import { requeueRun } from '../../../state/runs/requeue-run';
import type { Leases, TrackedRun } from '../claim/leases';
import { maskError, maskOutcome, prepareRun } from './prepare-run';
import { endOf, unexpectedEnd } from './run-end';

/**
 * An internal error ends the run as failed. If that cannot be written, the lease expires and
 * another worker takes the run.
 */
export async function executeRun(context: Context, leases: Leases, run: ClaimedRun): Promise<void> {
  const { id: runId, companyId, agentId } = run;
  const { workerSlotsBusy } = context.metrics;
  const tracked = leases.track(run);
  workerSlotsBusy.inc();
  const attributes = { 'switchyard.run_id': runId, 'switchyard.agent_id': agentId };
  const correlationId = run.correlationId ?? runId;
  try {
    await withLogContext({ correlationId, runId, companyId }, () =>
      tracing().inSpan({ name: 'heartbeat run', kind: 'part', attributes }, () =>
        attempt(context, run, tracked),
      ),
    );
  } finally {
    tracked.release();
    workerSlotsBusy.dec();
  }
}

async function attempt(context: Context, run: ClaimedRun, tracked: TrackedRun): Promise<void> {
  const { logger, metrics } = context;
  const { agentId, source } = run;
  logger.info('run started', { agentId, attempt: run.attempt, source });
  try {
    const observe = metrics.runDuration.startTimer();
    const outcome = await runAdapter(context, run, tracked.signal).catch((error: unknown) =>
      unexpectedEnd(context, error),
    );
    if (outcome.status !== 'accepted') observe({ status: outcome.status });
    await settleWhileHeld(context, run, tracked, outcome);
  } catch (error) {
    logger.error('the end of a run could not be stored', errorFields(error));
  }
}

async function runAdapter(
  context: Context,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<AdapterOutcome> {
  const prepared = await prepareRun(context, run, signal);
  if ('failure' in prepared) return prepared.failure;
  const { adapter, input, mask } = prepared;
  try {
    return maskOutcome(mask, await adapter.run(input));
  } catch (error) {
    throw maskError(mask, error);
  } finally {
    await prepared.close();
  }
}

const SETTLE_AGAIN_MS = 250;

/** Retries after temporary failures while the lease is valid, so that the result is not lost. */
async function settleWhileHeld(
  context: Context,
  run: ClaimedRun,
  tracked: TrackedRun,
  outcome: AdapterOutcome,
): Promise<void> {
  for (;;) {
    try {
      return await settle(context, run, tracked, outcome);
    } catch (error) {
      if (tracked.abortReason() === 'lost' || !isPassingFault(error)) throw error;
      context.logger.warn('the end of a run could not be stored; retrying', errorFields(error));
      await delay(SETTLE_AGAIN_MS);
    }
  }
}

async function settle(
  context: Context,
  run: ClaimedRun,
  tracked: TrackedRun,
  outcome: AdapterOutcome,
): Promise<void> {
  const { logger, metrics } = context;
  if (outcome.status === 'accepted') {
    await detachRun(context, run, outcome.withinMs);
    return logger.info('the run continues outside this process');
  }
  const reason = outcome.status === 'aborted' ? tracked.abortReason() : null;
  if (reason === 'lost') {
    metrics.staleWrites.inc();
    return logger.info('another process claimed the run');
  }
  if (reason === 'handed_over' || reason === 'given_up') {
    logger.info('the run was released for another worker', { reason });
    return requeueRun(context, run, { cost: reason === 'given_up' ? 'attempt' : 'nothing' });
  }
  await finishRun(context, run, endOf(outcome, reason));
}
