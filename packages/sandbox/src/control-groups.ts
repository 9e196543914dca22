import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './is-alive';

const PREFIX = 'switchyard-run-';
/** Names the process that must remove the group. */
const NAMED = new RegExp(`^${PREFIX}(\\d{1,10})-`);

export interface ControlGroups {
  make(processes: number): Promise<{ folder: string; remove(): Promise<void> }>;
}

/**
 * Groups of version 2 below a folder that was delegated to this account. Each has an equal share of the processor among
 * its neighbours. Removes what a killed runner left.
 * @throws Error when the folder is not a delegated group with the controllers cpu, memory and pids
 */
export async function openControlGroups(
  folder: string,
  memoryBytes: number,
): Promise<ControlGroups> {
  await writeFile(join(folder, 'cgroup.subtree_control'), '+cpu +memory +pids');
  for (const name of await readdir(folder)) {
    const [, pid] = NAMED.exec(name) ?? [];
    // One with processes refuses.
    if (pid && !isAlive(Number(pid))) await rmdir(join(folder, name)).catch(() => {});
  }
  return {
    async make(processes) {
      const group = join(folder, `${PREFIX}${process.pid}-${randomUUID()}`);
      await mkdir(group);
      try {
        await writeFile(join(group, 'memory.max'), memoryBytes > 0 ? String(memoryBytes) : 'max');
        await writeFile(join(group, 'pids.max'), processes > 0 ? String(processes) : 'max');
        // Fails here, and not inside of the sandbox, when no process may be moved into it.
        closeSync(openSync(join(group, 'cgroup.procs'), 'w'));
      } catch (error) {
        await rmdir(group).catch(() => {});
        throw error;
      }
      return { folder: group, remove: () => rmdir(group) };
    },
  };
}
