import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runInGroup } from '@switchyard/bootstrap/run';
import { end, killTree } from './end.js';
import type { Lifecycle } from './lifecycle.js';

type Options = Omit<Parameters<typeof runInGroup>[2], 'kill'>;

/** A tool that runs to its end, with its output kept. `signal` ends it with all its descendants, of any group. */
export const run = (command: string, args: string[], options: Options = {}) =>
  runInGroup(command, args, { ...options, kill: killTree });

/** A program that has the terminal, as jest's watch mode and a question for a password need it. Returns its exit code. */
export async function runInTerminal(
  life: Lifecycle,
  command: string,
  args: string[],
  { waitMs = 5000, ...options }: { cwd: string; env?: NodeJS.ProcessEnv; waitMs?: number },
): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: 'inherit' });
  life.onEnd('services', () => child.pid && end(child.pid, { waitMs, now: life.now }));
  life.stop.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
