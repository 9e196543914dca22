import { closeSync, constants, openSync, readlinkSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { SpawnError } from '../children/sandboxed-child';
import { entryArguments, limitOptions } from '../entry-program';
import { realPathOf } from '../look-at-path';
import type { SandboxPolicy } from '../sandbox';
import type { SettingsCopy } from '../settings-copy';
import { type SystemFolders, systemFolders } from '../system-folders';
import { type Located, nothing, portOf, type SandboxDriver } from './driver';

interface Bubblewrap {
  command: string;
  version: readonly [major: number, minor: number];
}

const ENTRY_INSIDE = '/run/switchyard/sandbox-entry';

/**
 * Passes the arguments through a file descriptor, because they contain the environment. If the
 * policy allows it, mounts one copy of all system settings, because mounting each file takes longer
 * than the rest of a start.
 */
export function bwrapDriver(
  bubblewrap: Bubblewrap,
  entry: string,
  copy: SettingsCopy | null,
): SandboxDriver {
  const folders = systemFolders();
  const system = systemArguments(entry, folders);
  const mounted = folders.settings.flatMap((path) => ['--ro-bind-try', path, path]);
  return {
    name: 'bwrap',
    entry: ENTRY_INSIDE,
    isSupervised: true,
    hasOwnNetwork: true,
    isHeldByKernel: true,
    async prepare(command, policy) {
      const isShared = policy.network === 'shared';
      copy?.refresh();
      // Nothing may throw until the process has the descriptor, because otherwise the descriptor
      // would leak.
      const folder = openWorkingDirectory(command, policy);
      const opened = folderArguments(policy, folder === null ? null : command.cwd);
      const words = [
        ...(isShared ? [] : ['--unshare-net']),
        ...system,
        ...memoryArguments(bubblewrap, policy.limits),
        ...(copy && !opened.some(isOfSettings)
          ? ['--ro-bind', `${copy.folder}/etc`, '/etc']
          : mounted),
        ...opened,
        ...['--remount-ro', '/', '--chdir', command.cwd],
        ...environmentArguments(command),
      ];
      const listener = portOf(policy);
      const options = [
        isShared ? '--any-network' : '--own-network',
        ...(command.environment.PWD === undefined ? ['--unset', 'PWD'] : []),
        ...(listener ? ['--listen', String(listener.port)] : []),
        ...limitOptions(policy.limits),
      ];
      const inside = entryArguments(options, [command.file, command.command, ...command.args]);
      return {
        plan: {
          file: bubblewrap.command,
          args: ['--args', '4', '--', ENTRY_INSIDE, ...inside],
          environment: {},
          input: command.input,
          hasChannel: true,
          place: (pid) => place(pid, command.group),
          extraInput: words.map((word) => `${word}\0`).join(''),
          descriptors: folder === null ? [] : [folder],
        },
        started: async () => {
          if (folder !== null) closeSync(folder);
        },
        release: nothing,
      };
    },
  };
}

/**
 * Sets the OOM score and the control group before bubblewrap gets its arguments, so that its
 * children inherit both. The kernel then ends the children first when memory runs out, and the
 * group limits them.
 */
function place(pid: number, group: string | null): void {
  writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  if (group !== null) writeFileSync(join(group, 'cgroup.procs'), String(pid));
}

const isOfSettings = (word: string) => `${word}/`.startsWith('/etc/');

function memoryArguments(
  { version: [major, minor] }: Bubblewrap,
  { temporaryBytes }: SandboxPolicy['limits'],
): string[] {
  const knowsSize = major > 0 || minor >= 7;
  const most = Math.floor(totalmem() / 4);
  const memory = (share: number, path: string) => {
    const bytes = Math.floor((temporaryBytes > 0 ? Math.min(temporaryBytes, most) : most) / share);
    return [...(knowsSize ? ['--size', String(bytes)] : []), '--tmpfs', path];
  };
  return [
    ...memory(1, '/tmp'),
    ...memory(2, '/var/tmp'),
    ...memory(2, '/dev/shm'),
    ...['--remount-ro', '/dev'],
  ];
}

function systemArguments(entry: string, { readOnly, links }: SystemFolders): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-cgroup-try', '--hostname', 'sandbox'],
    ...['--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL'],
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...readOnly.flatMap((path) => ['--ro-bind-try', path, path]),
    // Root in the sandbox owns files in /proc even without a capability, so /proc is remounted
    // read-only.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev'],
    ...['--dir', '/run/switchyard', '--ro-bind', entry, ENTRY_INSIDE],
    // The entry program lowers the limits of its user namespace here, then drops the capability.
    ...['--bind', '/proc/sys/user', '/run/switchyard/user', '--cap-add', 'CAP_SYS_RESOURCE'],
  ];
}

/**
 * Opens a writable working directory, because another program of the same agent could replace the
 * path with a link after the check.
 */
function openWorkingDirectory({ cwd }: Located, { readWrite }: SandboxPolicy): number | null {
  if (!readWrite.includes(cwd)) return null;
  const folder = openSync(cwd, OPEN_PATH);
  const found = readlinkSync(`/proc/self/fd/${folder}`);
  if (found === cwd) return folder;
  closeSync(folder);
  throw new SpawnError(
    'SANDBOX',
    `the working directory ${cwd} must not be a link, but leads to ${found}`,
  );
}

const OPEN_PATH = 0o10000000 | constants.O_DIRECTORY;
const WORKING_DIRECTORY = '/proc/self/fd/5';

function folderArguments({ readOnly, readWrite }: SandboxPolicy, opened: string | null): string[] {
  const folders = [
    ...readOnly.map((path) => ({ path, option: '--ro-bind-try' })),
    ...readWrite.map((path) => ({ path, option: '--bind' })),
  ].sort((one, other) => one.path.split('/').length - other.path.split('/').length);
  return folders.flatMap(({ path, option }) => {
    if (path === opened && option === '--bind') return [option, WORKING_DIRECTORY, path];
    const real = realPathOf(path) ?? path;
    return [option, real, path, ...(real === path ? [] : [option, real, real])];
  });
}

function environmentArguments({ environment }: Located): string[] {
  return Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]);
}
