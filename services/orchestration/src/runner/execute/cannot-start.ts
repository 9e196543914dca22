import type { AdapterOutcome } from '../../adapters/agents/agent-adapter';

/** Thrown by a step that prepares a run: how the run ends instead. The text names no value that is secret. */
export class CannotStart extends Error {
  constructor(readonly outcome: AdapterOutcome) {
    super('the run cannot start');
  }
}

/** A failure that does not pass. */
export function cannotStart(errorCode: string, error: string): CannotStart {
  return new CannotStart({
    status: 'failed',
    exitCode: null,
    errorCode,
    error,
    transient: false,
  });
}
