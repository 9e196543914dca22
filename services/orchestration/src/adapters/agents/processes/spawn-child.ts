import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import type { AdapterOutcome } from '../agent-adapter';
import { argumentHint } from '../command/argument-hint';
import type { ChildEnvironment } from '../environment/child-environment';

export interface ChildCommand {
  command: string;
  args: string[];
  cwd: string;
  environment: ChildEnvironment;
  /** What it reads from its input; without it the input is closed. */
  input?: string;
}

export type Child = ChildProcessByStdio<Writable | null, Readable, Readable> & { pid: number };

/** The host is short of something for the moment, which is no fault of the configuration. */
const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];
const NOT_EXECUTABLE = ['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOEXEC', 'EPERM'];

function failed(errorCode: string, error: string, transient = false): AdapterOutcome {
  return { status: 'failed', exitCode: null, errorCode, error, transient };
}

/** A failed outcome when `cwd` is no folder to start in: spawn reports a missing folder as a missing command. */
export async function refuseFolder(cwd: string): Promise<AdapterOutcome | null> {
  try {
    await access(cwd, constants.X_OK);
    if ((await stat(cwd)).isDirectory()) return null;
  } catch {
    // The answer is the same for missing and forbidden.
  }
  return failed(
    'cwd_not_found',
    `the working directory ${cwd} does not exist or may not be entered`,
  );
}

function describeSpawnError(command: string, error: unknown): AdapterOutcome {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (NOT_EXECUTABLE.includes(code)) {
    return failed(
      'command_not_found',
      `${command} can't be executed (${code})${argumentHint(command)}`,
    );
  }
  return failed(
    'spawn_failed',
    `${command} could not be started (${code})`,
    SHORTAGES.includes(code),
  );
}

/**
 * Starts the command without a shell, in a process group and session of its own. Answers the child in the turn of
 * the event loop in which it was spawned, or else a promise of a failed outcome.
 */
export function spawnChild(request: ChildCommand): Child | Promise<AdapterOutcome> {
  try {
    const child = spawn(request.command, request.args, {
      cwd: request.cwd,
      env: request.environment,
      detached: true,
      shell: false,
      stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    // A child may end without having read all of it.
    child.stdin?.on('error', () => {});
    child.stdin?.end(request.input);
    if (child.pid !== undefined) return child as Child;
    return once(child, 'error').then(([error]) => describeSpawnError(request.command, error));
  } catch (error) {
    return Promise.resolve(describeSpawnError(request.command, error));
  }
}
