import type { AdapterOutcome } from '../../adapters/agents/agent-adapter';

/** Ends the run with this outcome. The text must not contain a secret. */
export class CannotStart extends Error {
  constructor(readonly outcome: AdapterOutcome) {
    super('the run cannot start');
  }
}

export function cannotStart(errorCode: string, error: string): CannotStart {
  return new CannotStart({
    status: 'failed',
    exitCode: null,
    errorCode,
    error,
    transient: false,
  });
}
