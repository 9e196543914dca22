import { say } from '@switchyard/bootstrap/terminal';
import { buildProjects } from '@switchyard/launcher/commands/build';
import { migrate } from '@switchyard/launcher/migrate';
import { freePort } from '@switchyard/launcher/ports';
import { createDatabase, urlOf } from '@switchyard/launcher/postgres/client';
import { startPostgres } from '@switchyard/launcher/postgres/start';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { makeTemporaryPlaces } from '@switchyard/launcher/temporary-servers';
import { rehearse } from './metrics-service/stages.js';

/** `npm run rehearse -- metrics [collections of the soak, default 1000]` */
export async function rehearseMetrics(
  life: Lifecycle,
  root: string,
  [soak = '1000']: string[],
): Promise<number> {
  await buildProjects(root, ['services/metrics'], life.stop);
  const where = { root, env: process.env, ...makeTemporaryPlaces(life) };
  const server = await startPostgres(life, where, { durable: true });
  await createDatabase(urlOf(server), 'metrics');
  const url = urlOf(server, 'metrics');
  await migrate(root, { metrics: { runner: { DATABASE_URL: url } } }, life.stop);
  const isGood = await rehearse({
    root,
    database: { url, stop: server.stop, start: async () => server.restart() },
    port: await freePort(),
    soak: Number(soak),
    say,
    onEnd: (end: () => unknown) => life.onEnd(end),
  });
  return isGood ? 0 : 1;
}
