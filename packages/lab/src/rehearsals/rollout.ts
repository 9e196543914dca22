import path from 'node:path';
import { buildProjects } from '@switchyard/launcher/commands/build';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { PROJECTS } from '@switchyard/launcher/services/definitions';
import { provideServers } from '@switchyard/launcher/temporary-servers';

export async function rehearseRollout(
  life: Lifecycle,
  root: string,
  [rounds = '1', longSec = '300']: string[],
): Promise<number> {
  const { database, redis } = await provideServers(life, root, () =>
    buildProjects(root, PROJECTS, life.stop),
  );
  const { rehearse } = await import(path.join(root, 'packages/lab/rehearse/rollout/rehearse.mjs'));
  const servers = { database, redis };
  const times = { rounds: Number(rounds), longSec: Number(longSec) };
  return (await rehearse({ root, servers, ...times })) ? 0 : 1;
}
