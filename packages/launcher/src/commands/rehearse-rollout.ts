import path from 'node:path';
import type { Lifecycle } from '../process/lifecycle.js';
import { PROJECTS } from '../services/definitions.js';
import { provideServers } from '../temporary-servers.js';
import { buildProjects } from './build.js';

/** `npm run rehearse-rollout -- [rounds]`: see k8s/rehearse. */
export async function rehearseRollout(
  life: Lifecycle,
  root: string,
  [rounds = '2']: string[],
): Promise<number> {
  const { database, redis } = await provideServers(life, root, () =>
    buildProjects(root, PROJECTS, life.stop),
  );
  const { rehearse } = await import(path.join(root, 'k8s/rehearse/rehearse.mjs'));
  const servers = { database, redis };
  return (await rehearse({ root, servers, rounds: Number(rounds) })) ? 0 : 1;
}
