import type { RunOutcome } from '@switchyard/types';
import type { AdapterOutcome } from '../agents/agent-adapter';
import type { HeldRun } from '../held-runs';
import { retryUntilAccepted } from '../protocol/retry-until-accepted';
import type { RunProtocol } from '../protocol/run-protocol';
import { storable } from './storable';

export type RunResult = AdapterOutcome | Extract<RunOutcome, { status: 'paused' }>;

export async function settleRun(
  protocol: RunProtocol,
  run: HeldRun,
  outcome: RunResult,
): Promise<void> {
  const { claim, isLost } = run;
  const reason = outcome.status === 'aborted' ? run.abortReason() : null;
  if (reason === 'handed_over' || reason === 'given_up') {
    await retryUntilAccepted(
      () => protocol.release(claim, { isFault: reason === 'given_up' }),
      isLost,
    );
    return;
  }
  await retryUntilAccepted(() => protocol.end(claim, reported(outcome)), isLost);
}

const MAX_ERROR_CHARS = 20_000;
const LONGEST_RETRY_MS = 30 * 86_400_000;

function reported(outcome: RunResult): RunOutcome {
  switch (outcome.status) {
    case 'failed': {
      const { retryAfterMs, ...failed } = outcome;
      const error = storable(failed.error, MAX_ERROR_CHARS);
      if (retryAfterMs === undefined) return { ...failed, error };
      const again = Math.min(Math.max(0, Math.round(retryAfterMs)), LONGEST_RETRY_MS);
      return { ...failed, error, retryAfterMs: again };
    }
    case 'paused':
    case 'timed_out':
      return { ...outcome, error: storable(outcome.error, MAX_ERROR_CHARS) };
    case 'accepted':
      throw new Error('an adapter that starts processes must not return `accepted`');
    default:
      return outcome;
  }
}
