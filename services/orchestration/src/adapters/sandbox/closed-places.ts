import { basename, join, relative, resolve, sep } from 'node:path';
import { realPathOf, statOf } from '@switchyard/sandbox';
import type { WorkspaceRoots } from '../repositories/allowed-folder';

/** Folders that no sandbox opens, whatever program lies in them. */
export interface ClosedPlaces {
  /** A folder that holds or lies in DATA_DIR, the checkout or what companies share of WORKSPACE_ROOTS; one that holds a HOME or a `.env`. */
  isClosed(folder: string): boolean;
  /** True for a closed folder or a file of DATA_DIR, which the operator's list may not open either. */
  isRefused(path: string): boolean;
  /** A file of DATA_DIR. */
  isData(file: string): boolean;
  /** A file of DATA_DIR, a `.env`, or one in a hidden folder of the HOME, such as `.ssh`. */
  isSecret(file: string): boolean;
}

/** The folder that the product itself is in. */
const CHECKOUT = resolve(__dirname, '../../../../..');

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

/** Each path as it is written and with its links resolved. */
const bothOf = (paths: readonly string[]) =>
  paths.flatMap((path) => [resolve(path), realPathOf(path) ?? resolve(path)]);

const isInside = (path: string, folder: string) =>
  path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);

const isHidden = (path: string) => path.split(sep).some((part) => part.startsWith('.'));
