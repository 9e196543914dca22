import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Part {
  name: string;
  kind: 'api' | 'worker' | 'runner';
  ready: string;
  environment: Record<string, string | undefined>;
}

export function openProcesses(root: string, stop: AbortSignal) {
  const running = new Map<string, ChildProcess>();

  const start = ({ name, kind, environment }: Part) => {
    const folder = kind === 'runner' ? 'packages/runner' : 'services/orchestration';
    const file = path.join(root, folder, `dist/bin/${kind}.js`);
    const child = spawn(process.execPath, [file], { env: environment, stdio: 'ignore' });
    running.set(name, child);
  };

  /** Ends a process without warning; returns whether the signal ended it. */
  const kill = async ({ name }: Part): Promise<boolean> => {
    const child = running.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return false;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    const [, signal] = await ended;
    return signal === 'SIGKILL';
  };

  return {
    start,
    kill,
    restart: (parts: Part[]) => {
      for (const part of parts) {
        const child = running.get(part.name);
        if (!child || child.exitCode !== null || child.signalCode !== null) start(part);
      }
    },
    signal: ({ name }: Part, signal: NodeJS.Signals) => running.get(name)?.kill(signal) ?? false,
    untilReady: async (parts: Part[]) => {
      for (const { ready } of parts) {
        while (
          !(await fetch(ready, { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.ok
        ) {
          stop.throwIfAborted();
          await sleep(100);
        }
      }
    },
    killAll: async (parts: Part[]) => {
      for (const part of parts) await kill(part);
    },
  };
}
