import { accessSync, constants } from 'node:fs';
import { type SandboxedChild, SandboxUnavailable, SpawnError, statOf } from '@switchyard/sandbox';
import type { Confinement } from '../../sandbox/confinement';
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
  /** @throws SandboxUnavailable */
  confine(): Promise<Confinement>;
}

/** How a command that is about to be started is confined. */
export type Confine = (command: Omit<ChildCommand, 'confine'>) => Promise<Confinement>;

export const confined = (
  confine: Confine,
  command: Omit<ChildCommand, 'confine'>,
): ChildCommand => ({ ...command, confine: () => confine(command) });

/** The host is short of something for the moment, which is no fault of the configuration. */
const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];
const NOT_EXECUTABLE = ['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOEXEC', 'EPERM'];

function failed(errorCode: string, error: string, transient = false): AdapterOutcome {
  return { status: 'failed', exitCode: null, errorCode, error, transient };
}

/** A failed outcome when `cwd` is no folder to start in: spawn reports a missing folder as a missing command. */
export function refuseFolder(cwd: string): AdapterOutcome | null {
  try {
    accessSync(cwd, constants.X_OK);
    if (statOf(cwd)?.isDirectory()) return null;
  } catch {
    // The answer is the same for missing and forbidden.
  }
  return failed(
    'cwd_not_found',
    `the working directory ${cwd} does not exist or may not be entered`,
  );
}

/** How a run ends whose command was not executed, or took more than it may. */
export function describeSpawnFailure(
  command: string,
  { code, message }: { code: string; message: string },
): AdapterOutcome {
  if (code === 'SANDBOX') {
    return failed('sandbox_failed', `the sandbox of ${command} could not be made: ${message}`);
  }
  if (code === 'LIMIT') {
    return failed('temporary_full', `${command} was ended: ${message} (SANDBOX_TEMPORARY_MIB)`);
  }
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
 * Starts the command without a shell, in a sandbox and a session of its own. The promise resolves in the turn of the
 * event loop in which it was spawned.
 */
export async function spawnChild(request: ChildCommand): Promise<SandboxedChild | AdapterOutcome> {
  try {
    const { sandbox, policy } = await request.confine();
    return await sandbox.spawn(request, policy);
  } catch (error) {
    if (error instanceof SandboxUnavailable) return failed('sandbox_unavailable', error.message);
    if (error instanceof SpawnError) return describeSpawnFailure(request.command, error);
    throw error;
  }
}
