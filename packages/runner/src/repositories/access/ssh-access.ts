import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { alsoReading, alsoWriting } from '../git/git-access';
import type { GitSurroundings } from '../git/run-git';

export interface SshAccess {
  privateKey: string;
  host: string;
  port: number;
  address: string | null;
  knownHostsFile: string;
  trustsFirstKey: boolean;
}

const PREFIX = 'switchyard-key-';

const forShell = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
/** Quotes the value, because ssh parses it as a configuration line. */
const forSsh = (path: string) =>
  `"${path.replaceAll('%', '%%').replace(/[\\"]/g, (mark) => `\\${mark}`)}"`;

/**
 * The command ignores all configuration, keys, agents and passwords of the worker's user. In a
 * sandbox, `entry` connects through the proxy.
 */
function commandWith(access: SshAccess, keyFile: string, entry: string | null): string {
  const { host, port, address, knownHostsFile, trustsFirstKey } = access;
  const options = [
    `IdentityFile=${forSsh(keyFile)}`,
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'PreferredAuthentications=publickey',
    'BatchMode=yes',
    'ConnectTimeout=30',
    // Stops after a minute without a response, as https does.
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
    `StrictHostKeyChecking=${trustsFirstKey ? 'accept-new' : 'yes'}`,
    `UserKnownHostsFile=${forSsh(knownHostsFile)}`,
    'GlobalKnownHostsFile=/dev/null',
    'UpdateHostKeys=no',
  ];
  if (entry !== null) {
    options.push(`ProxyCommand=${forShell(entry).replaceAll('%', '%%')} connect %h %p`);
  }
  if (address) {
    const name = port === 22 ? host : `[${host}]:${port}`;
    options.push(`HostName=${address}`, `HostKeyAlias=${name}`);
  }
  return ['ssh', '-F', 'none', ...options.flatMap((option) => ['-o', option])]
    .map(forShell)
    .join(' ');
}

/** In ms; longer than a repository operation takes, so that no key in use is removed. */
const FORGOTTEN_AFTER_MS = 86_400_000;

async function removeForgotten(): Promise<void> {
  const names = await readdir(tmpdir());
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const made = (await stat(folder).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (made > Date.now() - FORGOTTEN_AFTER_MS) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

export async function withSshAccess<Reply>(
  surroundings: GitSurroundings,
  access: SshAccess | null,
  use: (surroundings: GitSurroundings) => Promise<Reply>,
): Promise<Reply> {
  if (access === null) return use(surroundings);
  await removeForgotten();
  if (access.trustsFirstKey) {
    await mkdir(dirname(access.knownHostsFile), { recursive: true, mode: 0o700 });
    // Gives ssh only the file to append to, because the folder contains other companies' files.
    await writeFile(access.knownHostsFile, '', { mode: 0o600, flag: 'a' });
  }
  const { entry } = await surroundings.confinements.sandbox();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, access.privateKey, { mode: 0o600, flag: 'wx' });
    const opened = alsoReading(surroundings.access, folder);
    return await use({
      ...surroundings,
      sshCommand: commandWith(access, keyFile, entry),
      access: access.trustsFirstKey
        ? alsoWriting(opened, access.knownHostsFile)
        : alsoReading(opened, access.knownHostsFile),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
