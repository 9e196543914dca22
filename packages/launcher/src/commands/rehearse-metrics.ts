import path from 'node:path';
import { say } from '@switchyard/bootstrap/terminal';
import { migrate } from '../migrate.js';
import { freePort } from '../ports.js';
import { createDatabase } from '../postgres/client.js';
import { stopServer, urlOf } from '../postgres/server.js';
import { startPostgres } from '../postgres/start.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { makeTemporaryPlaces } from '../temporary-servers.js';
import { buildProjects } from './build.js';

/** `npm run rehearse-metrics -- [collections of the soak, default 1000]`: see services/metrics/src/rehearsal. */
export async function rehearseMetrics(
  life: Lifecycle,
  root: string,
  [soak = '1000']: string[],
): Promise<number> {
  await buildProjects(root, ['services/metrics'], life.stop);
  const where = { root, env: process.env, ...makeTemporaryPlaces(life) };
  const { server, restart } = await startPostgres(life, where, { durable: true });
  await createDatabase(urlOf(server()), 'metrics');
  const url = urlOf(server(), 'metrics');
  await migrate(root, { metrics: { runner: { DATABASE_URL: url } } }, life.stop);
  const { rehearse } = await import(path.join(root, 'services/metrics/dist/rehearsal/rehearse.js'));
  const isGood = await rehearse({
    database: { url, stop: () => stopServer(server()), start: restart },
    port: await freePort(),
    soak: Number(soak),
    say,
    onEnd: (end: () => unknown) => life.onEnd('services', end),
  });
  return isGood ? 0 : 1;
}
