import type { Readable } from 'node:stream';

/**
 * Why a command was not executed: the system's code, or SANDBOX for a sandbox that could not be set up. LIMIT when it was
 * executed and then ended, because it took more than it may.
 */
interface SpawnFailure {
  code: string;
  message: string;
}

export interface SandboxExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  failure: SpawnFailure | null;
}

export interface SandboxedChild {
  /** Of the process that holds all others; it ends last. */
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How the command itself ended; processes that it started may live on until `end`. */
  readonly exited: Promise<SandboxExit>;
  /**
   * Ends what is left: TERM now, KILL after the grace. `isComplete` is false where this driver does not hold what leaves
   * the process group, so that the caller has to look for it; `remaining` are processes that not even KILL has ended.
   */
  end(graceMs: number): Promise<{ isComplete: boolean; remaining: number[] }>;
}

/** Nothing was started. */
export class SpawnError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
