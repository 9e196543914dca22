import { readdirSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { realPathOf, statOf } from '@switchyard/sandbox';
import type { ClosedPlaces } from './closed-places';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/gnu/store'];

/**
 * Program folders of version managers, keyed by the folder whose `bin` or `shims` is on the PATH.
 */
const MANAGERS: Record<string, readonly string[]> = {
  '.asdf': ['bin', 'shims', 'installs', 'plugins', 'lib'],
  '.cargo': ['bin', '../.rustup'],
  '.linuxbrew': ['bin', 'sbin', 'Cellar', 'lib', 'libexec', 'opt', 'share'],
  '.local': [
    ...['bin', 'lib', 'share/claude', 'share/fnm', 'share/mise', 'share/pipx', 'share/pnpm'],
    'share/uv',
  ],
  '.pyenv': ['bin', 'shims', 'libexec', 'plugins', 'pyenv.d', 'versions'],
  '.volta': ['bin', 'tools/image'],
  homebrew: ['bin', 'sbin', 'Cellar', 'lib', 'libexec', 'opt', 'share'],
};

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * In local mode, returns the program's package. This is the outermost `node_modules`, because
 * packages use one another, or the nearest folder with a package.json or pyvenv.cfg. Without
 * either, returns the file.
 */
export function pathsOfProgram(file: string, places: ClosedPlaces): string[] {
  const real = realPathOf(file);
  if (real === null || !isFile(real) || isSystem(real) || places.isData(real)) return [];
  const folder = packageOf(real);
  const whole = folder !== null && !places.isClosed(folder) ? folder : real;
  return real === file ? [whole] : [file, whole];
}

export function pathsOfArgument(file: string, places: ClosedPlaces): string[] {
  const real = realPathOf(file);
  if (real === null || !isFile(real) || isSystem(real)) return [];
  return [file, real].some(places.isSecret) ? [] : [file];
}

export function pathsOfFolder(folder: string, places: ClosedPlaces): string[] {
  const real = realPathOf(folder);
  if (real === null || isSystem(real) || places.isClosed(real)) return [];
  const prefix = dirname(real);
  const programs = MANAGERS[basename(prefix)];
  if (programs) return [folder, ...programs.map((part) => join(prefix, part))];
  if (isFile(join(prefix, 'pyvenv.cfg')) && !places.isClosed(prefix)) return [folder, prefix];
  const linked = linksIn(real).flatMap((link) => pathsOfProgram(link, places).slice(1));
  return [folder, ...linked];
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function packageOf(file: string): string | null {
  const at = file.indexOf(PACKAGES);
  if (at >= 0) return file.slice(0, at + PACKAGES.length - 1);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (['package.json', 'pyvenv.cfg'].some((name) => isFile(join(folder, name)))) return folder;
  }
  return null;
}

const isFile = (path: string) => statOf(path)?.isFile() ?? false;
const isSystem = (path: string) =>
  SYSTEM.some((folder) => path === folder || path.startsWith(`${folder}/`));
