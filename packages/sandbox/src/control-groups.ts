import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './is-alive';

const PREFIX = 'switchyard-run-';
const NAMED = new RegExp(`^${PREFIX}(\\d{1,10})-`);

export interface ControlGroups {
  make(processes: number): Promise<{ folder: string; remove(): Promise<void> }>;
}

/**
 * Creates cgroups of version 2 below a folder that was delegated to this account, each with an
 * equal share of the CPU. Removes the groups of killed runners.
 * @throws Error when the folder is not a delegated group with the controllers cpu, memory and pids
 */
export async function openControlGroups(
  folder: string,
  memoryBytes: number,
): Promise<ControlGroups> {
  await writeFile(join(folder, 'cgroup.subtree_control'), '+cpu +memory +pids');
  for (const name of await readdir(folder)) {
    const [, pid] = NAMED.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) await rmdir(join(folder, name)).catch(() => {});
  }
  return {
    async make(processes) {
      const group = join(folder, `${PREFIX}${process.pid}-${randomUUID()}`);
      await mkdir(group);
      try {
        await writeFile(join(group, 'memory.max'), memoryBytes > 0 ? String(memoryBytes) : 'max');
        await writeFile(join(group, 'pids.max'), processes > 0 ? String(processes) : 'max');
        // Fails here, not inside the sandbox, if no process may be moved into the group.
        closeSync(openSync(join(group, 'cgroup.procs'), 'w'));
      } catch (error) {
        await rmdir(group).catch(() => {});
        throw error;
      }
      return { folder: group, remove: () => rmdir(group) };
    },
  };
}
