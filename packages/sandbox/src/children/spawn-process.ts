import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { SpawnError } from './sandboxed-child';

export interface ProcessPlan {
  file: string;
  args: readonly string[];
  argv0?: string;
  cwd?: string;
  environment: Readonly<Record<string, string>>;
  input?: string;
  hasChannel: boolean;
  place?(pid: number): void;
  extraInput?: string;
  descriptors?: readonly number[];
}

export type SpawnedProcess = ChildProcess & {
  pid: number;
  stdout: NonNullable<ChildProcess['stdout']>;
  stderr: NonNullable<ChildProcess['stderr']>;
};

export async function spawnProcess(plan: ProcessPlan): Promise<SpawnedProcess> {
  const stdio: StdioOptions = [plan.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
  if (plan.hasChannel) stdio.push('ipc');
  if (plan.extraInput !== undefined) stdio.push('pipe');
  stdio.push(...(plan.descriptors ?? []));
  const child = start(plan, stdio);
  child.on('error', () => {});
  placeOrKill(plan, child);
  for (const [at, text] of [
    [0, plan.input],
    [4, plan.extraInput],
  ] as const) {
    const stream = child.stdio[at] as Writable | null | undefined;
    stream?.on('error', () => {});
    if (text !== undefined) stream?.end(text);
  }
  if (child.pid !== undefined) return child as SpawnedProcess;
  const [error] = await once(child, 'error');
  throw spawnError(plan.file, error);
}

function start(plan: ProcessPlan, stdio: StdioOptions): ChildProcess {
  try {
    return spawn(plan.file, plan.args, {
      argv0: plan.argv0,
      cwd: plan.cwd,
      env: plan.environment,
      detached: true,
      shell: false,
      serialization: 'json',
      stdio,
    });
  } catch (error) {
    throw spawnError(plan.file, error);
  }
}

function placeOrKill({ file, place }: ProcessPlan, child: ChildProcess): void {
  try {
    if (child.pid !== undefined) place?.(child.pid);
  } catch (error) {
    child.kill('SIGKILL');
    const { message } = error as Error;
    throw new SpawnError('SANDBOX', `${file} could not be started: ${message}`);
  }
}

function spawnError(file: string, error: unknown): SpawnError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new SpawnError(code, `${file} could not be started (${code})`);
}
