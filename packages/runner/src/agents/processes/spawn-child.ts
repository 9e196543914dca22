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
  input?: string;
  confine(): Promise<Confinement>;
}

export type Confine = (command: Omit<ChildCommand, 'confine'>) => Promise<Confinement>;

export const confined = (
  confine: Confine,
  command: Omit<ChildCommand, 'confine'>,
): ChildCommand => ({ ...command, confine: () => confine(command) });

const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];
const NOT_EXECUTABLE = ['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOEXEC', 'EPERM'];

function failed(errorCode: string, error: string, transient = false): AdapterOutcome {
  return { status: 'failed', exitCode: null, errorCode, error, transient };
}

/** Checks the folder, because spawn reports a missing folder as a missing command. */
export function refuseFolder(cwd: string): AdapterOutcome | null {
  try {
    accessSync(cwd, constants.X_OK);
    if (statOf(cwd)?.isDirectory()) return null;
  } catch {}
  return failed(
    'cwd_not_found',
    `the working directory ${cwd} does not exist or may not be entered`,
  );
}

const SETTING_OF: Readonly<Record<string, string>> = {
  TEMPORARY_FULL: 'SANDBOX_TEMPORARY_MIB',
  WORKSPACE_FULL: 'SANDBOX_WORKSPACE_MIB',
};

export function describeSpawnFailure(
  command: string,
  { code, message }: { code: string; message: string },
): AdapterOutcome {
  if (code === 'SANDBOX') {
    return failed('sandbox_failed', `the sandbox of ${command} could not be created: ${message}`);
  }
  const setting = SETTING_OF[code];
  if (setting) return failed(code.toLowerCase(), `${command} was ended: ${message} (${setting})`);
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
 * Starts the command without a shell, in its own session. Resolves in the turn of the event loop in
 * which the child was spawned.
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
