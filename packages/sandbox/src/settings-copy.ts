import type { Stats } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A folder with what is public of the system's settings, which one mount shows in place of one for each file. */
export interface SettingsCopy {
  readonly folder: string;
  /** Looks, behind the caller's back and not too often, whether the system's have changed. */
  refresh(): void;
}

const LOOK_EVERY_MS = 30_000;
const READABLE_BY_ALL = 0o004;
const ENTERED_BY_ALL = 0o005;

/**
 * Copies settings (`/etc/hosts`, `/etc/ssl`) into `folder`, where they lie under the same names. What not everybody may
 * read is left out. Each file is replaced as a whole, so that programs which use the folder, and other processes that
 * make the same copy, never meet half of one.
 * @throws Error when the folder cannot be written
 */
export async function copySettings(
  folder: string,
  paths: readonly string[],
): Promise<SettingsCopy> {
  const copied = new Map<string, string>();
  const copyAll = async (): Promise<void> => {
    const drafts = await mkdtemp(`${folder}.drafts-`);
    try {
      for (const path of paths) await copyNamed(path, { folder, drafts, copied });
    } finally {
      await rm(drafts, { recursive: true, force: true });
    }
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyAll();
  let lookedAt = performance.now();
  let isLooking = false;
  return {
    folder,
    refresh: () => {
      if (isLooking || performance.now() - lookedAt < LOOK_EVERY_MS) return;
      isLooking = true;
      // What cannot be copied now stays as it is until the next look.
      void copyAll()
        .catch(() => {})
        .finally(() => {
          lookedAt = performance.now();
          isLooking = false;
        });
    },
  };
}

interface Copying {
  folder: string;
  /** Where files are written before they take their place. */
  drafts: string;
  /** What was found at the last look, by the path of the copy. */
  copied: Map<string, string>;
}

/** A link that is named itself is followed, as a mount would. */
async function copyNamed(path: string, copying: Copying): Promise<void> {
  const target = join(copying.folder, path);
  const found = await stat(path).catch(() => null);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  const isCopied = found && (await copyEntry(path, target, found, copying));
  if (!isCopied) await rm(target, { recursive: true, force: true });
}

/** Returns whether it is public and of a kind that is copied. */
async function copyEntry(
  path: string,
  target: string,
  entry: Stats,
  copying: Copying,
): Promise<boolean> {
  if (entry.isDirectory()) return copyFolder(path, target, entry, copying);
  if (!entry.isSymbolicLink() && !entry.isFile()) return false;
  if (entry.isFile() && !(entry.mode & READABLE_BY_ALL)) return false;
  const state = [entry.ino, entry.size, entry.mtimeMs, entry.ctimeMs, entry.mode].join(' ');
  if (copying.copied.get(target) === state) return true;
  const draft = join(copying.drafts, 'draft');
  await rm(draft, { force: true });
  if (entry.isSymbolicLink()) await symlink(await readlink(path), draft);
  else {
    await writeFile(draft, await readFile(path));
    await chmod(draft, entry.mode & 0o111 ? 0o755 : 0o644);
  }
  await replace(draft, target);
  copying.copied.set(target, state);
  return true;
}

async function copyFolder(
  path: string,
  target: string,
  { mode }: Stats,
  copying: Copying,
): Promise<boolean> {
  if ((mode & ENTERED_BY_ALL) !== ENTERED_BY_ALL) return false;
  const known = await lstat(target).catch(() => null);
  if (known && !known.isDirectory()) await rm(target, { force: true });
  await mkdir(target, { recursive: true });
  await chmod(target, 0o755);
  const kept = new Set<string>();
  for (const name of await readdir(path)) {
    const from = join(path, name);
    const inside = await lstat(from).catch(() => null);
    if (inside && (await copyEntry(from, join(target, name), inside, copying))) kept.add(name);
  }
  for (const name of await readdir(target)) {
    if (!kept.has(name)) await rm(join(target, name), { recursive: true, force: true });
  }
  return true;
}

/** A file may take the place of a folder. */
async function replace(draft: string, target: string): Promise<void> {
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EISDIR') throw error;
    await rm(target, { recursive: true, force: true });
    await rename(draft, target);
  });
}
