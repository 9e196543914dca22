import { tooLarge } from '../children/sandboxed-child';
import { entryArguments, groupOptions, limitOptions } from '../entry-program';
import { isLargerThan } from '../folders/folder-size';
import { removeTree } from '../folders/remove-tree';
import { makeTemporaryFolder } from '../folders/temporary-folder';
import { realPathOf } from '../look-at-path';
import { systemFolders } from '../system-folders';
import { portOf, type SandboxDriver } from './driver';

/** Uses only Landlock and seccomp, for containers that may not create namespaces. */
export function landlockDriver(entry: string): SandboxDriver {
  const { readOnly, settings, links, devices, machine } = systemFolders();
  const readable = [...readOnly, ...settings, ...links.map(({ path }) => path), ...machine, entry];
  return {
    name: 'landlock',
    entry,
    isSupervised: true,
    hasOwnNetwork: false,
    isHeldByKernel: false,
    async prepare(command, policy) {
      // Each command gets its own folder, because the host's /tmp is shared.
      const temporary = await makeTemporaryFolder();
      const variables = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
      const listener = portOf(policy);
      const { temporaryBytes } = policy.limits;
      const options = [
        '--landlock',
        ...groupOptions(command.group),
        ...(policy.network === 'shared' ? ['--any-network'] : []),
        ...(listener ? ['--connect', String(listener.port)] : []),
        ...limitOptions(policy.limits),
        ...[...readable, ...policy.readOnly].flatMap((path) => ['--read-only', path]),
        ...real([...devices, ...policy.readWrite, temporary], command.cwd).flatMap((path) => [
          '--read-write',
          path,
        ]),
      ];
      return {
        plan: {
          file: entry,
          args: entryArguments(options, [command.file, command.command, ...command.args]),
          cwd: command.cwd,
          environment: { ...variables, ...command.environment },
          input: command.input,
          hasChannel: true,
        },
        ...(temporaryBytes > 0 && {
          exceeds: async () =>
            (await isLargerThan(temporary, temporaryBytes))
              ? tooLarge('TEMPORARY_FULL', 'TMPDIR', temporaryBytes)
              : null,
        }),
        release: () => removeTree(temporary),
      };
    },
  };
}

/** Does not resolve the working directory, because opening it later must reject a link. */
const real = (paths: readonly string[], cwd: string) =>
  paths.map((path) => (path === cwd ? path : (realPathOf(path) ?? path)));
