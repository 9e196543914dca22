import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';
import { errorFields } from '@switchyard/server';
import type { RunOutcome } from '@switchyard/types';
import type { Context } from '../../../kernel/context';
import type { RunEnd } from '../../../state/runs/end-run';

export type EndedOutcome = Exclude<AdapterOutcome, { status: 'accepted' }>;

export function endOf(outcome: EndedOutcome | RunOutcome, reason: string | null): RunEnd {
  if (outcome.status === 'paused') {
    return { ...outcome, status: 'cancelled', errorCode: 'paused_budget' };
  }
  if (outcome.status !== 'aborted') return outcome;
  const cancelled = { status: 'cancelled', exitCode: outcome.exitCode } as const;
  return reason === 'cancelled' ? { ...cancelled, errorCode: 'cancelled' } : cancelled;
}

export function unexpectedEnd({ logger }: Pick<Context, 'logger'>, error: unknown): EndedOutcome {
  logger.error('the adapter failed unexpectedly', errorFields(error));
  const text = (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
  const errorCode = 'adapter_error';
  return { status: 'failed', exitCode: null, errorCode, error: text, transient: false };
}
