import type { AdapterOutcome, UsageReport } from '../../../adapters/agents/agent-adapter';
import type { TextMask } from '../../../adapters/output-masking';

/** What an adapter says of a failure may repeat a value that it was given (guarantee G22). */
export function maskOutcome(mask: TextMask, outcome: AdapterOutcome): AdapterOutcome {
  return 'error' in outcome ? { ...outcome, error: mask(outcome.error) } : outcome;
}

/** The agent chose these words, and they are stored with the cost event. */
export function maskUsage(mask: TextMask, usage: UsageReport): UsageReport {
  return { ...usage, provider: mask(usage.provider), model: mask(usage.model) };
}

/** An error like the one that was thrown, for the log and the run's end. */
export function maskError(mask: TextMask, error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(mask(message)), { stack: mask(stack ?? '') });
}
