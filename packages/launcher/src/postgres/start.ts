import path from 'node:path';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from '../process/lifecycle.js';
import type { KeptServer } from '../services/keep-up.js';
import type { Places, Settings } from '../settings.js';
import { chooseAccount } from './account.js';
import { chooseBinaries } from './binaries.js';
import { makeCluster } from './cluster.js';
import { dataMajor, programsBeside, reachableBinaries, readPlace, settlePlace } from './place.js';
import {
  adopt,
  type PostgresServer,
  type ServerOptions,
  startPostgresServer,
  stopServer,
} from './server.js';

export interface RunningPostgres extends KeptServer {
  server: () => PostgresServer;
}

type Where = Places & Pick<Settings, 'root' | 'env'>;

/** The server on a DATA_DIR, or on the folder of temporary servers. */
export async function startPostgres(
  life: Lifecycle,
  where: Where,
  { durable }: { durable: boolean },
): Promise<RunningPostgres> {
  const portFile = path.join(where.runDir, 'postgres-port.json');
  const current: { server?: PostgresServer } = {};
  life.onEnd('postgres', () => current.server && stopServer(current.server, life.now));
  const hold = (server: PostgresServer) => {
    current.server = server;
  };
  const { options } = await step('start PostgreSQL', async () => {
    const options: ServerOptions = {
      ...prepare(where),
      durable,
      port: readJson(portFile)?.port,
      logFile: path.join(where.logDir, 'postgres.log'),
      signal: life.stop,
    };
    const { server, how } = await startOrAdopt(options, hold);
    writeJson(portFile, { port: server.port });
    const { version } = options.binaries;
    return { options, text: `PostgreSQL ${version} on 127.0.0.1:${server.port} (${how})` };
  });
  return {
    server: () => current.server as PostgresServer,
    pid: () => current.server?.pid ?? 0,
    restart: () => startPostgresServer({ ...options, port: current.server?.port }, hold),
  };
}

function prepare({ root, env, dataDir }: Where) {
  const kept = readPlace(dataDir);
  const account = chooseAccount(path.join(kept.folder, 'postgres'));
  const binaries = chooseBinaries(root, env, dataMajor(kept.folder));
  const place = settlePlace(dataDir, account, kept);
  if (place.folder !== dataDir) {
    notice(
      `account "${account?.name}" may not enter ${dataDir}: its database is in ${place.folder}`,
    );
  }
  const programs = programsBeside(place.folder, dataDir);
  return { account, binaries: reachableBinaries(binaries, account, programs), ...place };
}

async function startOrAdopt(options: ServerOptions, hold: (server: PostgresServer) => void) {
  const found = await adopt(options);
  if (found) {
    hold(found);
    return { server: found, how: 'reused, it was still running' };
  }
  const isNew = await makeCluster(options);
  const server = await startPostgresServer(options, hold);
  if (!options.durable) return { server, how: 'temporary' };
  return { server, how: isNew ? 'new data folder' : 'existing data' };
}
