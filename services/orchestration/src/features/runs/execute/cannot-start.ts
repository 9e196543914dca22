import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';

type Failure = Extract<AdapterOutcome, { status: 'failed' }>;

export class CannotStart extends Error {
  constructor(
    readonly outcome: AdapterOutcome,
    message = 'the run cannot start',
  ) {
    super(message);
  }
}

export function cannotStart(errorCode: string, error: string): CannotStart {
  const outcome: Failure = { status: 'failed', exitCode: null, errorCode, error, transient: false };
  return new CannotStart(outcome);
}
