import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readTextFile } from '@switchyard/server';
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

function textOf(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new Error(`${path} cannot be read`, { cause: error });
  }
}

function passphraseIn(path: string): string {
  const passphrase = textOf(path).split(/\r?\n/)[0] ?? '';
  if (passphrase.length < 12)
    throw new Error(`${path}: the passphrase must have at least 12 characters`);
  return passphrase;
}

function identitiesIn(path: string): string[] {
  const lines = textOf(path)
    .split(/\r?\n/)
    .map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (identities.length === 0) throw new Error(`${path} must contain an age identity`);
  return identities;
}

function folderOf(usage: string, positionals: readonly string[]): string {
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0) throw new Error(usage);
  return isInBucket(folder) ? folder : resolve(folder);
}

export function readBackupOptions(args: string[]): { folder: string; lock: Lock | null } {
  const options = {
    'encrypt-to': { type: 'string', multiple: true },
    ...passphraseOption,
  } as const;
  const { values, positionals } = read(BACKUP, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const folder = folderOf(BACKUP, positionals);
  const { 'encrypt-to': recipients, 'passphrase-file': file } = values;
  if (recipients && file !== undefined)
    throw new Error(`pass only one of --encrypt-to and --passphrase-file\n${BACKUP}`);
  if (recipients) return { folder, lock: { recipients } };
  return { folder, lock: file === undefined ? null : { passphrase: passphraseIn(file) } };
}

export function readRestoreOptions(args: string[]): {
  folder: string;
  key: Key | null;
  paused: boolean;
} {
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
  if (files && file !== undefined)
    throw new Error(`pass only one of --identity and --passphrase-file\n${RESTORE}`);
  if (files) {
    const identities = files.flatMap(identitiesIn);
    return { folder, key: { identities }, paused };
  }
  const key = file === undefined ? null : { passphrase: passphraseIn(file) };
  return { folder, key, paused };
}
