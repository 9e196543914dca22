import type { AdapterOutcome } from '../../../adapters/agents/agent-adapter';

type Failure = Extract<AdapterOutcome, { status: 'failed' }>;

/** Ends the run with this outcome. The text must not contain a secret. */
export class CannotStart extends Error {
  constructor(
    readonly outcome: AdapterOutcome,
    message = 'the run cannot start',
  ) {
    super(message);
  }
}

/** A permanent failure. */
export function cannotStart(errorCode: string, error: string): CannotStart {
  const outcome: Failure = { status: 'failed', exitCode: null, errorCode, error, transient: false };
  return new CannotStart(outcome);
}
