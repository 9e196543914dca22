import { statfs } from 'node:fs/promises';
import { release } from 'node:os';
import { locateProgram } from './children/locate-program';
import {
  type SandboxExit,
  type SandboxedChild,
  SpawnError,
  tooLarge,
} from './children/sandboxed-child';
import { type SpawnedProcess, spawnProcess } from './children/spawn-process';
import { supervisedChild } from './children/supervised-child';
import type { ControlGroups } from './control-groups';
import { type Prepared, portOf, type SandboxDriver } from './drivers/driver';
import { isLargerThan } from './folders/folder-size';
import { statOf } from './look-at-path';
import { listenInHost, listenInside } from './network';
import type { Sandbox, SandboxCommand, SandboxPolicy } from './sandbox';

export function createSandbox(
  driver: SandboxDriver,
  why: string,
  groups: ControlGroups | null = null,
): Sandbox {
  return {
    driver: driver.name,
    why,
    entry: driver.entry,
    hasOwnNetwork: driver.hasOwnNetwork,
    openNetwork: driver.hasOwnNetwork ? listenInside : listenInHost,
    spawn: (command, policy) => spawnIn(driver, groups, command, policy),
  };
}

async function spawnIn(
  driver: SandboxDriver,
  groups: ControlGroups | null,
  command: SandboxCommand,
  policy: SandboxPolicy,
): Promise<SandboxedChild> {
  const environment: Record<string, string> = {
    ...(policy.home !== null && { HOME: policy.home }),
    ...command.environment,
  };
  const file = locateProgram(command.command, environment.PATH, command.cwd);
  if (driver.name !== 'off') requireFolders(policy);
  const group = await groups?.make(policy.limits.processes);
  const located = { ...command, environment, file, group: group?.folder ?? null };
  let release = async () => group?.remove();
  try {
    const prepared = await driver.prepare(located, withLimits(policy));
    const { plan, started } = prepared;
    release = () => prepared.release().finally(() => group?.remove());
    const spawned = spawnProcess(plan);
    void started?.().catch(() => {});
    const child = await spawned;
    if (!driver.isSupervised) {
      child.once(
        'exit',
        () => void release().catch((error: Error) => process.emitWarning(error.message)),
      );
      return plainChild(child);
    }
    const network = driver.hasOwnNetwork ? portOf(policy) : null;
    return supervisedChild(child, {
      network,
      isHeldByKernel: driver.isHeldByKernel,
      exceeds: limitOf(policy, prepared),
      release,
    });
  } catch (error) {
    await release();
    throw error;
  }
}

function limitOf({ readWrite, limits }: SandboxPolicy, { exceeds }: Prepared): Prepared['exceeds'] {
  const { workspaceBytes: bytes } = limits;
  if (bytes <= 0) return exceeds;
  const findLarge = watchSizes(readWrite, bytes);
  return async () => {
    const folder = await findLarge();
    return folder === null
      ? ((await exceeds?.()) ?? null)
      : tooLarge('WORKSPACE_FULL', folder, bytes);
  };
}

function requireFolders({ readOnly, readWrite }: SandboxPolicy): void {
  for (const path of [...readOnly, ...readWrite]) {
    if (!path.startsWith('/') || path === '/') {
      throw new SpawnError('SANDBOX', `the folder ${path} cannot be used in a sandbox`);
    }
  }
  for (const path of readWrite) {
    if (!statOf(path)) throw new SpawnError('SANDBOX', `the folder ${path} does not exist`);
  }
}

/**
 * Removes the limit of processes on kernels before 5.14, which count a user's processes over all
 * namespaces.
 */
function withLimits(policy: SandboxPolicy): SandboxPolicy {
  if (process.platform !== 'linux') return policy;
  const [major = 0, minor = 0] = release().split('.').map(Number.parseFloat);
  const counts = major > 5 || (major === 5 && minor >= 14);
  return counts ? policy : { ...policy, limits: { ...policy.limits, processes: 0 } };
}

function plainChild(child: SpawnedProcess): SandboxedChild {
  const exited = new Promise<SandboxExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, failure: null }));
  });
  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    end: async () => ({ isComplete: false, remaining: [] }),
  };
}

/**
 * Returns a function that finds a folder in which more than `bytes` were written since this call.
 * The function only measures a folder if its file system lost that much free space since the last
 * check, because measuring a large working tree takes seconds.
 */
function watchSizes(folders: readonly string[], bytes: number): () => Promise<string | null> {
  const before = Promise.all(folders.map(roomOf));
  const since = Date.now();
  return async () => {
    const room = await before;
    for (const [at, folder] of folders.entries()) {
      const now = await roomOf(folder);
      // Compares with the largest free space seen, because space that others free would otherwise
      // hide what the run writes.
      const most = Math.max(room[at] as number, now);
      room[at] = most;
      if (most - now < bytes) continue;
      room[at] = now;
      if (await isLargerThan(folder, bytes, since)) return folder;
    }
    return null;
  };
}

async function roomOf(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => null);
  return disk ? disk.bavail * disk.bsize : 0;
}
