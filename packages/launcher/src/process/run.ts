import { UserError } from '@switchyard/bootstrap/user-error';
import { execa, type Options } from 'execa';
import { end, killTree } from './end.js';
import type { Lifecycle } from './lifecycle.js';

interface Tool extends Pick<Options, 'cwd' | 'env' | 'extendEnv' | 'uid' | 'gid'> {
  signal?: AbortSignal;
}

export async function run(
  command: string,
  args: string[],
  { signal, ...options }: Tool = {},
): Promise<{ code: number; output: string }> {
  signal?.throwIfAborted();
  const fixed = { detached: true, stdin: 'ignore', all: true, reject: false } as const;
  const child = execa(command, args, { ...options, ...fixed });
  const abort = () => child.pid && killTree(child.pid);
  signal?.addEventListener('abort', abort, { once: true });
  const { exitCode = 1, all, shortMessage } = await child;
  signal?.removeEventListener('abort', abort);
  signal?.throwIfAborted();
  return { code: exitCode, output: all || (shortMessage ?? '') };
}

export async function runOrFail(
  command: string,
  args: string[],
  options: Tool,
  [cause, next]: readonly [cause: string, next: string],
): Promise<string> {
  const { code, output } = await run(command, args, options);
  if (code === 0) return output.trimEnd();
  throw new UserError(cause, next, output);
}

export async function runInTerminal(
  life: Lifecycle,
  command: string,
  args: string[],
  { waitMs = 5000, ...options }: Tool & { waitMs?: number },
): Promise<number> {
  const child = execa(command, args, { ...options, stdio: 'inherit', reject: false });
  life.onEnd(() => end(child.pid, { waitMs, now: life.now }));
  life.stop.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const { exitCode = 1 } = await child;
  return exitCode;
}
