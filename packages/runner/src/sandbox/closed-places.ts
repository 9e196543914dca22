import { basename, join, relative, resolve, sep } from 'node:path';
import { realPathOf, statOf } from '@switchyard/sandbox';
import type { WorkspaceRoots } from '../repositories/allowed-folder';

export interface ClosedPlaces {
  /**
   * True for DATA_DIR, the checkout and shared WORKSPACE_ROOTS, for folders above or inside these,
   * and for a folder that contains a HOME or a `.env`.
   */
  isClosed(folder: string): boolean;
  isRefused(path: string): boolean;
  isData(file: string): boolean;
  /**
   * True for files of DATA_DIR, a `.env`, and files in a hidden folder of the HOME, such as `.ssh`.
   */
  isSecret(file: string): boolean;
}

const CHECKOUT = resolve(__dirname, '../../../..');

const COMPANY = '{companyId}';

export function closedPlaces({
  home,
  dataDir,
  workspaceRoots,
}: {
  home: string | undefined;
  dataDir: string;
  workspaceRoots: WorkspaceRoots;
}): ClosedPlaces {
  const roots = workspaceRoots === 'any' ? [] : workspaceRoots;
  const shared = roots.flatMap((root) =>
    root.includes(COMPANY) ? [resolve(root.slice(0, root.indexOf(COMPANY)))] : [],
  );
  const data = bothOf([dataDir]);
  const closed = [...data, ...bothOf([CHECKOUT, ...shared])];
  const homes = home ? bothOf([home]) : [];
  const isData = (file: string) => data.some((folder) => isInside(file, folder));
  const isClosed = (folder: string) =>
    homes.some((path) => isInside(path, folder)) ||
    closed.some((path) => isInside(path, folder) || isInside(folder, path)) ||
    statOf(join(folder, '.env')) !== null;
  return {
    isData,
    isClosed,
    isRefused: (path) => {
      const real = realPathOf(path) ?? resolve(path);
      return isData(real) || (!statOf(real)?.isFile() && isClosed(real));
    },
    isSecret: (file) =>
      isData(file) ||
      basename(file).startsWith('.env') ||
      homes.some((path) => isInside(file, path) && isHidden(relative(path, file))),
  };
}

const bothOf = (paths: readonly string[]) =>
  paths.flatMap((path) => [resolve(path), realPathOf(path) ?? resolve(path)]);

const isInside = (path: string, folder: string) =>
  path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);

const isHidden = (path: string) => path.split(sep).some((part) => part.startsWith('.'));
