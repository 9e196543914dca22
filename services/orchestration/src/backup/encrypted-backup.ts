import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  assertIdentities,
  assertRecipients,
  decryptFile,
  decryptText,
  encryptFile,
  encryptText,
  makeIdentity,
} from './age';
import { backUp } from './back-up';
import type { BackupSettings } from './backup-settings';
import { claimFolder, inPrivateFolder } from './claim-folder';
import { assetPath, dumpedAssets } from './dumped-rows';
import { MANIFEST, type Manifest, readManifest } from './manifest';

export type Lock = { recipients: readonly string[] } | { passphrase: string };
export type Key = { identities: readonly string[] } | { passphrase: string };

/**
 * Contains the backup's identity, encrypted with the passphrase, so that the slow key derivation (1
 * s) runs only once.
 */
const IDENTITY = 'identity.age';
const SEALED = '.age';

async function recipientsOf(folder: string, lock: Lock): Promise<readonly string[]> {
  if ('recipients' in lock) return lock.recipients;
  const { identity, recipient } = await makeIdentity();
  const bytes = await encryptText(identity, lock.passphrase);
  await writeFile(join(folder, IDENTITY), bytes, { mode: 0o600, flush: true });
  return [recipient];
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return [...paths.filter((path) => path !== MANIFEST).sort(), MANIFEST];
}

/**
 * Encrypts each file with age. Works in a temporary folder, so that `folder` never contains plain
 * text.
 * @throws Error as `backUp` does, and for an invalid recipient
 */
export async function backUpEncrypted(
  settings: BackupSettings,
  folder: string,
  lock: Lock,
): Promise<Manifest> {
  if ('recipients' in lock) assertRecipients(lock.recipients);
  const undo = await claimFolder(folder);
  try {
    return await inPrivateFolder(async (clear) => {
      const manifest = await backUp(settings, clear);
      const recipients = await recipientsOf(folder, lock);
      for (const path of await filesIn(clear)) {
        const sealed = join(folder, `${path}${SEALED}`);
        await mkdir(dirname(sealed), { recursive: true, mode: 0o700 });
        await encryptFile(join(clear, path), sealed, recipients);
        await rm(join(clear, path));
      }
      return manifest;
    });
  } catch (error) {
    await undo();
    throw error;
  }
}

async function identitiesOf(folder: string, key: Key): Promise<readonly string[]> {
  if ('identities' in key) return key.identities;
  const bytes = await readFile(join(folder, IDENTITY)).catch(() => {
    throw new Error('the backup was not encrypted with a passphrase: pass its key with --identity');
  });
  try {
    return [await decryptText(bytes, key.passphrase)];
  } catch (error) {
    throw new Error('the passphrase is wrong for this backup', { cause: error });
  }
}

const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isFile() ?? false;

async function assertKeyFits(folder: string, key: Key | null): Promise<void> {
  const isEncrypted = await isThere(join(folder, `${MANIFEST}${SEALED}`));
  if (isEncrypted && key === null) {
    throw new Error('the backup is encrypted: pass its key with --identity or --passphrase-file');
  }
  if (!isEncrypted && key !== null) throw new Error(`${folder} is not a complete encrypted backup`);
}

async function openManifest(folder: string, clear: string, identities: readonly string[]) {
  const from = join(folder, `${MANIFEST}${SEALED}`);
  try {
    await decryptFile(from, join(clear, MANIFEST), identities);
  } catch (error) {
    const reason = 'the key is wrong for this backup, or the manifest is damaged';
    throw new Error(reason, { cause: error });
  }
  return readManifest(clear);
}

/**
 * Calls `work` with a plain backup: `folder`, or a temporary decrypted copy.
 * @throws Error before `work` for a wrong key, or a missing or damaged file
 */
export async function withOpenBackup<T>(
  folder: string,
  key: Key | null,
  work: (clear: string) => Promise<T>,
): Promise<T> {
  await assertKeyFits(folder, key);
  if (key === null) return work(folder);
  if ('identities' in key) assertIdentities(key.identities);
  const identities = await identitiesOf(folder, key);
  return inPrivateFolder(async (clear) => {
    const manifest = await openManifest(folder, clear, identities);
    const open = async (path: string) => {
      const sealed = join(folder, `${path}${SEALED}`);
      if (!(await isThere(sealed))) throw new Error(`${path}${SEALED} is missing from the backup`);
      await mkdir(dirname(join(clear, path)), { recursive: true, mode: 0o700 });
      await decryptFile(sealed, join(clear, path), identities).catch((error) => {
        throw new Error(`${path}${SEALED} is damaged`, { cause: error });
      });
    };
    const { databases, files } = manifest;
    for (const { tables } of Object.values(databases)) {
      for (const { file } of tables) await open(file.path);
    }
    const lacking = new Set(files.lacking);
    for await (const { storageKey } of dumpedAssets(clear, databases.orchestration)) {
      if (!lacking.has(storageKey)) await open(assetPath('', storageKey));
    }
    return work(clear);
  });
}
