import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { alsoReading, alsoWriting } from '../git/git-access';
import type { GitSurroundings } from '../git/run-git';

/** One key for one host, and what makes the host believable. */
export interface SshAccess {
  /** As `readPrivateKey` answers it. */
  privateKey: string;
  host: string;
  port: number;
  /** Where to connect, by a look-up that was judged; null leaves it to ssh. */
  address: string | null;
  knownHostsFile: string;
  /** The key of a host that the file does not know is written into it; without this it is refused. */
  trustsFirstKey: boolean;
}

const PREFIX = 'switchyard-key-';

/** git has a shell read the command; in single quotes nothing means anything to it. */
const forShell = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
/** ssh reads the value as a line of its configuration, with quotes and percent signs of its own. */
const forSsh = (path: string) =>
  `"${path.replaceAll('%', '%%').replace(/[\\"]/g, (mark) => `\\${mark}`)}"`;

/**
 * No configuration, key, agent or password of this machine's user has a part in it. Inside a sandbox `entry` connects it,
 * by the proxy of its surroundings.
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
    // As https: a minute of silence ends it.
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

/** The longest that preparing a repository may take: younger keys may be in use. */
const FORGOTTEN_AFTER_MS = 86_400_000;

/** What a worker that was killed could not remove. */
async function removeForgotten(): Promise<void> {
  const names = await readdir(tmpdir());
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const made = (await stat(folder).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (made > Date.now() - FORGOTTEN_AFTER_MS) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Lets one git command reach its host with the key, which lies in a file for just as long. */
export async function withSshAccess<Reply>(
  surroundings: GitSurroundings,
  access: SshAccess | null,
  use: (surroundings: GitSurroundings) => Promise<Reply>,
): Promise<Reply> {
  if (access === null) return use(surroundings);
  await removeForgotten();
  if (access.trustsFirstKey) {
    await mkdir(dirname(access.knownHostsFile), { recursive: true, mode: 0o700 });
    // ssh adds to it, and does not get to see the folder: that has the files of other companies.
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
