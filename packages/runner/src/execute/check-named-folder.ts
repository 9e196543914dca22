import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Finding } from '@switchyard/types';
import { error, ok } from '../agents/findings';
import { allowedFolder } from '../repositories/allowed-folder';
import { isClosedFolder } from './closed-folder';
import { CLOSED, type Places } from './working-directory';

export async function checkNamedFolder(
  places: Omit<Places, 'repositories'>,
  companyId: string,
  cwd: string,
): Promise<{ findings: Finding[]; path: string | null }> {
  const path = await allowedFolder(places.workspaceRoots, companyId, cwd);
  if (path === null) {
    const text = 'cwd must be in a directory that WORKSPACE_ROOTS allows for the company';
    return { findings: [error('cwd_not_allowed', text, { cwd })], path: null };
  }
  if (await isClosedFolder(path, places)) {
    return { findings: [error('cwd_not_allowed', CLOSED, { cwd })], path: null };
  }
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder || !(await may(cwd, constants.X_OK))) {
    const text = 'cwd must be a directory that the runner may enter';
    return { findings: [error('cwd_not_found', text, { cwd })], path: null };
  }
  const found = (await may(cwd, constants.W_OK))
    ? ok('cwd_usable', 'cwd can be entered and written to', { cwd })
    : { ...ok('cwd_read_only', 'cwd cannot be written to', { cwd }), level: 'warning' as const };
  return { findings: [found], path };
}

const may = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  );
