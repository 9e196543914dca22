import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeTree } from '../folders/remove-tree';
import { makeTemporaryFolder } from '../folders/temporary-folder';
import type { SandboxPolicy } from '../sandbox';
import { portOf, type SandboxDriver } from './driver';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** Paths that macOS programs read at start. The profile only matches real paths. */
const SYSTEM = [
  '/System',
  '/Library/Apple',
  '/Library/Developer',
  '/Library/Frameworks',
  '/Library/Preferences/Logging',
  '/bin',
  '/dev',
  '/opt/homebrew',
  '/private/etc/ssl',
  '/private/etc/localtime',
  '/private/etc/hosts',
  '/private/etc/passwd',
  '/private/etc/protocols',
  '/private/etc/resolv.conf',
  '/private/etc/services',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/run/resolv.conf',
  '/sbin',
  '/usr',
];

const SERVICES = [
  'com.apple.CoreServices.coreservicesd',
  'com.apple.SystemConfiguration.configd',
  'com.apple.logd',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.trustd.agent',
];

export function seatbeltDriver(): SandboxDriver {
  return {
    name: 'seatbelt',
    entry: null,
    isSupervised: false,
    hasOwnNetwork: false,
    isHeldByKernel: false,
    async prepare(command, policy) {
      const temporary = await makeTemporaryFolder();
      const profile = seatbeltProfile({
        ...policy,
        readOnly: await Promise.all(
          [...policy.readOnly, dirname(dirname(process.execPath))].map(real),
        ),
        readWrite: await Promise.all([...policy.readWrite, temporary].map(real)),
      });
      const variables = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
      return {
        plan: {
          file: SANDBOX_EXEC,
          args: ['-p', profile, '--', command.file, ...command.args],
          cwd: command.cwd,
          environment: { ...variables, ...command.environment },
          input: command.input,
          hasChannel: false,
        },
        release: () => removeTree(temporary),
      };
    },
  };
}

const real = (path: string) => realpath(path).catch(() => path);

export function seatbeltProfile(
  policy: Pick<SandboxPolicy, 'readOnly' | 'readWrite' | 'network'>,
): string {
  const port = portOf(policy as SandboxPolicy)?.port;
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    '(allow file-ioctl (literal "/dev/null") (literal "/dev/tty"))',
    `(allow mach-lookup ${SERVICES.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
    '(allow ipc-posix-sem)',
    '(allow file-read* (literal "/"))',
    `(allow file-read* ${subpaths([...SYSTEM, ...policy.readOnly])})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    `(allow file-read* file-write* ${subpaths(policy.readWrite)})`,
    ...overlaid(policy).map((path) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...(policy.network === 'shared'
      ? ['(allow network*)', '(allow system-socket)']
      : port === undefined
        ? []
        : [`(allow network-outbound (remote ip "localhost:${port}"))`]),
  ].join('\n');
}

function overlaid({ readOnly, readWrite }: Pick<SandboxPolicy, 'readOnly' | 'readWrite'>) {
  return readOnly.filter((path) => readWrite.some((outer) => path.startsWith(`${outer}/`)));
}

const subpaths = (paths: readonly string[]) =>
  paths.map((path) => `(subpath ${quoted(path)})`).join(' ');

const quoted = (text: string) => `"${text.replace(/[\\"]/g, (character) => `\\${character}`)}"`;
