import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** What every sandbox shows already. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/gnu/store'];

/** Folders of a HOME that hold programs beside what is nobody else's; these parts are the programs. */
const MIXED: Record<string, readonly string[]> = {
  '.local': [
    ...['bin', 'lib', 'share/claude', 'share/fnm', 'share/mise', 'share/pipx', 'share/pnpm'],
    'share/uv',
  ],
  '.cargo': ['bin', '../.rustup'],
};

const PACKAGES = `${sep}node_modules${sep}`;

/** The folders without which a program of the operator's does not start. */
export const toolFolders = { ofFile, onPath };

/**
 * Of a program or script: the folder of its package, or the one that it lies in. A folder that holds one of `kept` is
 * never given; the file alone is then.
 */
async function ofFile(file: string, kept: readonly string[]): Promise<string[]> {
  const real = await realpath(file).catch(() => null);
  if (real === null || !(await isFile(real))) return [];
  const own = real === file ? [] : await given(dirname(file), file, kept);
  return [...own, ...(await given(await packageOf(real), real, kept))];
}

/** Of a folder on the PATH: itself, and what it is the `bin` of (nvm, pyenv, Homebrew). */
async function onPath(folder: string, kept: readonly string[]): Promise<string[]> {
  const real = await realpath(folder).catch(() => null);
  if (real === null || isSystem(real)) return [];
  const found = holdsAny(folder, kept) ? [] : [folder];
  for (const each of new Set([folder, real])) {
    const prefix = dirname(each);
    const parts = MIXED[basename(prefix)];
    if (parts) found.push(...parts.map((part) => join(prefix, part)));
    else if (isPrograms(each) && !holdsAny(prefix, kept)) found.push(prefix);
  }
  return found;
}

const isPrograms = (folder: string) => ['bin', 'sbin', 'shims'].includes(basename(folder));

async function given(folder: string, file: string, kept: readonly string[]): Promise<string[]> {
  if (isSystem(file)) return [];
  return [holdsAny(folder, kept) ? file : folder];
}

/** The outermost `node_modules`, since packages use one another; else the nearest folder with a package.json. */
async function packageOf(file: string): Promise<string> {
  const at = file.indexOf(PACKAGES);
  if (at >= 0) return file.slice(0, at + PACKAGES.length - 1);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (await isFile(join(folder, 'package.json'))) return folder;
  }
  return dirname(file);
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const isInside = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`);
const isSystem = (path: string) => SYSTEM.some((folder) => isInside(path, folder));
const holdsAny = (folder: string, kept: readonly string[]) =>
  folder === '/' || kept.some((path) => isInside(path, folder));
