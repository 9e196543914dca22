import { buildProjects } from '@switchyard/launcher/commands/build';
import { test } from '@switchyard/launcher/commands/test';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { runInTerminal } from '@switchyard/launcher/process/run';

export type Run = (life: Lifecycle, root: string, args: string[]) => Promise<number | undefined>;

export interface Job {
  does: string;
  run: Run;
}

export const trials =
  (...patterns: string[]): Run =>
  (life, root, args) =>
    test(life, root, ['--testMatch', ...patterns, '--runInBand', ...args]);

export const program =
  (file: string, built: string[] = []): Run =>
  async (life, root, args) => {
    if (built.length > 0) await buildProjects(root, built, life.stop);
    return runInTerminal(life, process.execPath, [file, ...args], { cwd: root });
  };
