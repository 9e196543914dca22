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

export interface SettingsCopy {
  readonly folder: string;
  refresh(): void;
}

const CHECK_EVERY_MS = 30_000;
const READABLE_BY_ALL = 0o004;
const ENTERED_BY_ALL = 0o005;

/**
 * Copies settings (`/etc/hosts`, `/etc/ssl`) into `folder` under the same names, except files that
 * are not public. Replaces each file atomically.
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
  let checkedAt = performance.now();
  let isChecking = false;
  return {
    folder,
    refresh: () => {
      if (isChecking || performance.now() - checkedAt < CHECK_EVERY_MS) return;
      isChecking = true;
      void copyAll()
        .catch(() => {})
        .finally(() => {
          checkedAt = performance.now();
          isChecking = false;
        });
    },
  };
}

interface Copying {
  folder: string;
  drafts: string;
  copied: Map<string, string>;
}

async function copyNamed(path: string, copying: Copying): Promise<void> {
  const target = join(copying.folder, path);
  const found = await stat(path).catch(() => null);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  const isCopied = found && (await copyEntry(path, target, found, copying));
  if (!isCopied) await rm(target, { recursive: true, force: true });
}

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

async function replace(draft: string, target: string): Promise<void> {
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EISDIR') throw error;
    await rm(target, { recursive: true, force: true });
    await rename(draft, target);
  });
}
