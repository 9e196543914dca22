import type { Readable } from 'node:stream';

/**
 * The system's error code. SANDBOX if the sandbox could not be set up; TEMPORARY_FULL or
 * WORKSPACE_FULL if the command exceeded a limit.
 */
export interface SpawnFailure {
  code: string;
  message: string;
}

export interface SandboxExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  failure: SpawnFailure | null;
}

export interface SandboxedChild {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the command ends; processes that it started may continue until `end`. */
  readonly exited: Promise<SandboxExit>;
  /**
   * Sends TERM now and KILL after `graceMs`. `isComplete` is false if the driver cannot find
   * processes that left the process group; `remaining` lists the pids that survived KILL.
   */
  end(graceMs: number): Promise<{ isComplete: boolean; remaining: number[] }>;
}

export const tooLarge = (code: string, folder: string, bytes: number): SpawnFailure => ({
  code,
  message: `${folder} must not contain more than ${Math.ceil(bytes / 2 ** 20)} MiB`,
});

export class SpawnError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
