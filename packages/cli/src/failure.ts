import { RefusedError } from '@switchyard/client';
import { CommanderError } from 'commander';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unavailable: 4,
} as const;

export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.usage,
  ) {
    super(message);
  }
}

export function describeFailure(error: unknown): { text: string; exitCode: number } {
  if (error instanceof CommanderError) {
    return { text: '', exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
  if (error instanceof CommandError) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof RefusedError) return describeRefusal(error);
  const { cause } = error as { cause?: { code?: string } };
  if (error instanceof TypeError && cause) {
    const text = `The service cannot be reached (${cause.code ?? 'no connection'}). Check that it is running and that --url is correct.`;
    return { text, exitCode: EXIT.unavailable };
  }
  return { text: error instanceof Error ? error.message : String(error), exitCode: EXIT.failed };
}

function describeRefusal(error: RefusedError) {
  const details = error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`;
  const hint = error.status === 401 ? '\nSign in with: switchyard login' : '';
  const exitCode = error.status >= 500 ? EXIT.unavailable : EXIT.refused;
  return { text: `${error.message}${details}${hint}`, exitCode };
}
