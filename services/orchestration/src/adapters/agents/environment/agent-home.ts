import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Confinements } from '../../sandbox/confinement';
import type { Environment, Surroundings } from './child-environment';

/** Where a process starts the children of agents; the same for all of them. */
export interface ChildSurroundings {
  inherited: Environment;
  /** Null in local trusted mode, where agents use the operator's own HOME and the sign-ins in it. */
  homes: string | null;
  confinements: Confinements;
}

interface Owner {
  companyId: string;
  agentId: string;
}

export const homeOf = (homes: string, { companyId, agentId }: Owner) =>
  join(homes, companyId, agentId);

/** The HOME that is an agent's own; null in local trusted mode. */
export const homeFor = ({ homes }: Pick<ChildSurroundings, 'homes'>, owner: Owner) =>
  homes === null ? null : homeOf(homes, owner);

/** The surroundings of one agent's children, with a HOME that is kept from run to run and shared with nobody. */
export async function openHome(
  { inherited, homes }: Pick<ChildSurroundings, 'inherited' | 'homes'>,
  owner: Owner,
): Promise<Surroundings> {
  if (homes === null) return { inherited, home: null };
  const home = homeOf(homes, owner);
  await mkdir(home, { recursive: true, mode: 0o700 });
  return { inherited, home };
}
