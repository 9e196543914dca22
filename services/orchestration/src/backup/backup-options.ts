import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isInBucket } from './bucket';
import type { Key, Lock } from './encrypted-backup';

const BACKUP =
  'usage: backup <folder or s3://bucket/folder, new or empty> [--encrypt-to age1…]… [--passphrase-file <file>]';
const RESTORE =
  'usage: restore <folder or s3://bucket/folder of a backup> [--identity <file>]… [--passphrase-file <file>] [--paused]';

const passphraseOption = { 'passphrase-file': { type: 'string' } } as const;

function read<T>(usage: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${usage}`);
  }
}

const textOf = (path: string) =>
  readFile(path, 'utf8').catch((error) => {
    throw new Error(`${path} cannot be read`, { cause: error });
  });

/** The first line, as an editor ends it. @throws Error for one that is easily guessed */
async function passphraseIn(path: string): Promise<string> {
  const passphrase = (await textOf(path)).split(/\r?\n/)[0] ?? '';
  if (passphrase.length < 12) throw new Error(`${path}: a passphrase has 12 characters or more`);
  return passphrase;
}

async function identitiesIn(path: string): Promise<string[]> {
  const lines = (await textOf(path)).split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (identities.length === 0) throw new Error(`${path} holds no identity`);
  return identities;
}

function folderOf(usage: string, positionals: readonly string[]): string {
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0) throw new Error(usage);
  return isInBucket(folder) ? folder : resolve(folder);
}

/** @throws Error with how the command is used */
export async function readBackupOptions(
  args: string[],
): Promise<{ folder: string; lock: Lock | null }> {
  const options = {
    'encrypt-to': { type: 'string', multiple: true },
    ...passphraseOption,
  } as const;
  const { values, positionals } = read(BACKUP, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const folder = folderOf(BACKUP, positionals);
  const { 'encrypt-to': recipients, 'passphrase-file': file } = values;
  if (recipients && file !== undefined) throw new Error(`one way of encryption\n${BACKUP}`);
  if (recipients) return { folder, lock: { recipients } };
  return { folder, lock: file === undefined ? null : { passphrase: await passphraseIn(file) } };
}

/** @throws Error with how the command is used */
export async function readRestoreOptions(
  args: string[],
): Promise<{ folder: string; key: Key | null; paused: boolean }> {
  const options = {
    identity: { type: 'string', multiple: true },
    paused: { type: 'boolean', default: false },
    ...passphraseOption,
  } as const;
  const { values, positionals } = read(RESTORE, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const folder = folderOf(RESTORE, positionals);
  const { identity: files, 'passphrase-file': file, paused } = values;
  if (files && file !== undefined) throw new Error(`one kind of key\n${RESTORE}`);
  if (files) {
    const identities = (await Promise.all(files.map(identitiesIn))).flat();
    return { folder, key: { identities }, paused };
  }
  const key = file === undefined ? null : { passphrase: await passphraseIn(file) };
  return { folder, key, paused };
}
