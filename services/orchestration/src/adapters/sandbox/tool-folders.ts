import { basename, dirname, join, sep } from 'node:path';
import { realPathOf, statOf } from '@switchyard/sandbox';

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
function ofFile(file: string, kept: readonly string[]): string[] {
  const real = realPathOf(file);
  if (real === null || !isFile(real)) return [];
  const own = real === file ? [] : given(dirname(file), file, kept);
  return [...own, ...given(packageOf(real), real, kept)];
}

/** Of a folder on the PATH: itself, and what it is the `bin` of (nvm, pyenv, Homebrew). */
function onPath(folder: string, kept: readonly string[]): string[] {
  const real = realPathOf(folder);
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

function given(folder: string, file: string, kept: readonly string[]): string[] {
  if (isSystem(file)) return [];
  return [holdsAny(folder, kept) ? file : folder];
}

/** The outermost `node_modules`, since packages use one another; else the nearest folder with a package.json. */
function packageOf(file: string): string {
  const at = file.indexOf(PACKAGES);
  if (at >= 0) return file.slice(0, at + PACKAGES.length - 1);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (isFile(join(folder, 'package.json'))) return folder;
  }
  return dirname(file);
}

const isFile = (path: string) => statOf(path)?.isFile() ?? false;

const isInside = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`);
const isSystem = (path: string) => SYSTEM.some((folder) => isInside(path, folder));
const holdsAny = (folder: string, kept: readonly string[]) =>
  folder === '/' || kept.some((path) => isInside(path, folder));
