import type { AdapterOutcome } from '../../../adapters/agents/agent-adapter';

type Failure = Extract<AdapterOutcome, { status: 'failed' }>;

/** Thrown by a step that prepares a run: how the run ends instead. The text names no value that is secret. */
export class CannotStart extends Error {
  constructor(
    readonly outcome: AdapterOutcome,
    message = 'the run cannot start',
  ) {
    super(message);
  }
}

/** A failure that will not pass by itself. */
export function cannotStart(errorCode: string, error: string): CannotStart {
  const outcome: Failure = { status: 'failed', exitCode: null, errorCode, error, transient: false };
  return new CannotStart(outcome);
}
