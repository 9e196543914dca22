import type { AdapterOutcome } from '../agents/agent-adapter';

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
