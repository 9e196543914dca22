import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { SharedEntry } from './agent-home-settings';
import type { Environment, Surroundings } from './child-environment';
import { linkInside } from './link-inside';

/** Where a process starts the children of agents; the same for all of them. */
export interface ChildSurroundings {
  inherited: Environment;
  /** Null where agents use the operator's own HOME and all that is in it: in local trusted mode without a sandbox. */
  homes: string | null;
  /** What of the operator's HOME agents find in theirs. */
  shared?: readonly SharedEntry[];
  /** Whether a sandbox is around them. */
  isSandboxed?: boolean;
}

/** Folders and files beside the system's own that a child may open. */
export interface FolderAccess {
  readOnly: readonly string[];
  readWrite: readonly string[];
}

export interface OpenedHome extends Surroundings {
  access: FolderAccess;
}

interface Owner {
  companyId: string;
  agentId: string;
}

export const homeOf = (homes: string, { companyId, agentId }: Owner) =>
  join(homes, companyId, agentId);

/**
 * The surroundings of one agent's children, with a HOME that is kept from run to run and shared with nobody. What the
 * operator shares is a link in it to the real file: a sandbox lets the agent to that, under its own name.
 */
export async function openHome(
  { inherited, homes, shared = [] }: ChildSurroundings,
  owner: Owner,
): Promise<OpenedHome> {
  if (homes === null) return { inherited, home: null, access: { readOnly: [], readWrite: [] } };
  const home = homeOf(homes, owner);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const access = { readOnly: [] as string[], readWrite: [home] };
  for (const { path, isReadOnly } of inherited.HOME ? shared : []) {
    const target = await realpath(join(inherited.HOME as string, path)).catch(() => null);
    if (target === null) continue;
    await linkInside(home, path, target);
    (isReadOnly ? access.readOnly : access.readWrite).push(target);
  }
  return { inherited, home, access };
}
