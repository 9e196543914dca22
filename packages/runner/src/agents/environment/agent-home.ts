import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentFolders } from '../../sandbox/agent-policy';
import type { Confinements } from '../../sandbox/confinement';
import type { SharedEntry } from './agent-home-settings';
import type { Environment, Surroundings } from './child-environment';
import { linkInside } from './link-inside';

export interface ChildSurroundings {
  inherited: Environment;
  homes: string | null;
  /** Entries of the operator's HOME that agents' HOMEs link to; null in authenticated mode. */
  shared?: readonly SharedEntry[] | null;
  confinements: Confinements;
}

export interface OpenedHome extends Surroundings {
  own: AgentFolders;
}

interface Owner {
  companyId: string;
  agentId: string;
}

/**
 * Opens the agent's HOME, which is kept between runs. Shared entries are links to the real files,
 * which the sandbox makes accessible.
 */
export function openHome(
  children: ChildSurroundings,
  owner: Owner,
  adapterType: string,
): Promise<OpenedHome> {
  const { homes } = children;
  return openFolder(children, homes === null ? null : homeOf(homes, owner), adapterType);
}

export async function openFolder(
  { inherited, shared, confinements }: Omit<ChildSurroundings, 'homes'>,
  home: string | null,
  adapterType: string,
): Promise<OpenedHome> {
  if (home === null || (shared && !(await isSandboxed({ confinements })))) {
    return { inherited, home: null, own: { home: null, readOnly: [], readWrite: [] } };
  }
  await mkdir(home, { recursive: true, mode: 0o700 });
  const folders = { readOnly: [] as string[], readWrite: [home] };
  const entries = (inherited.HOME && shared) || [];
  for (const { path, isReadOnly, adapterType: only } of entries) {
    if (only !== null && only !== adapterType) continue;
    const target = await realpath(join(inherited.HOME as string, path)).catch(() => null);
    if (target === null) continue;
    await linkInside(home, path, target);
    (isReadOnly ? folders.readOnly : folders.readWrite).push(target);
  }
  return { inherited, home, own: { home, ...folders } };
}

/** Also true if no sandbox works, because no program can start then. */
export async function isSandboxed({
  confinements,
}: Pick<ChildSurroundings, 'confinements'>): Promise<boolean> {
  return confinements.sandbox().then(
    ({ driver }) => driver !== 'off',
    () => true,
  );
}

export const homeOf = (homes: string, { companyId, agentId }: Owner) =>
  join(homes, companyId, agentId);
