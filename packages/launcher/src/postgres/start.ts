import path from 'node:path';
import { isSame } from '@switchyard/bootstrap/identity';
import { readJson } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from '../process/lifecycle.js';
import {
  type RunningServer,
  type ServerProcess,
  startServer,
  untilReady,
} from '../process/server.js';
import type { Places, Settings } from '../settings.js';
import { chooseAccount } from './account.js';
import { chooseBinaries, reachableBinaries } from './binaries.js';
import { type PostgresServer, urlOf, withClient } from './client.js';
import { type Cluster, cleanEnv, makeCluster, removeStalePidFile } from './cluster.js';
import { dataMajor, readPlace, settlePlace } from './place.js';

const recordFile = ({ runDir }: Places) => path.join(runDir, 'postgres.json');

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  // Vacuums more often than by default: dead rows collect quickly in queue tables and slow every poll.
  'autovacuum_naptime=10s',
];

const NOT_DURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export async function startPostgres(
  life: Lifecycle,
  where: Places & Pick<Settings, 'root' | 'env'>,
  { durable }: { durable: boolean },
): Promise<RunningServer & PostgresServer> {
  const { server, password, roles } = await step('start PostgreSQL', async () => {
    const { cluster, roles } = await prepare(where, durable, life.stop);
    const { binaries, account, folder, password } = cluster;
    const data = path.join(folder, 'postgres');
    const settings = durable ? SETTINGS : [...SETTINGS, ...NOT_DURABLE];
    let how = durable ? 'existing data' : 'temporary';
    const server = await startServer(life, {
      name: 'PostgreSQL',
      recordFile: recordFile(where),
      logFile: path.join(where.logDir, 'postgres.log'),
      folder: data,
      stopSignal: 'SIGINT',
      prepare: async () => {
        removeStalePidFile(data);
        if ((await makeCluster(cluster)) && durable) how = 'new data folder';
      },
      command: (port) => [
        path.join(binaries.bin, 'postgres'),
        ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
        { cwd: '/', env: cleanEnv(), uid: account?.uid, gid: account?.gid },
      ],
      isReady: (port) => replies({ port, password }),
    });
    if (server.isReused) how = 'reused, it was still running';
    const text = `PostgreSQL ${binaries.version} on 127.0.0.1:${server.port} (${how})`;
    return { server, password, roles, text };
  });
  return { ...server, password, roles };
}

export async function runningPostgres(
  places: Places,
  signal: AbortSignal,
): Promise<PostgresServer | undefined> {
  const { password = '', roles = {} } = readPlace(places.dataDir);
  const record: ServerProcess | undefined = readJson(recordFile(places));
  if (!record || !isSame(record)) return undefined;
  const server = { port: record.port, password, roles };
  const isReady = () => replies(server);
  return (await untilReady(record, { isReady }, signal, 20_000)) ? server : undefined;
}

async function prepare(
  { env, dataDir }: Places & Pick<Settings, 'env'>,
  durable: boolean,
  signal: AbortSignal,
): Promise<{ cluster: Cluster; roles: Record<string, string> }> {
  const kept = readPlace(dataDir);
  const account = chooseAccount(path.join(kept.folder, 'postgres'));
  const found = await chooseBinaries(env, dataMajor(kept.folder));
  const { folder, password, roles } = settlePlace(dataDir, account, kept);
  if (folder !== dataDir) {
    notice(`the account "${account?.name}" cannot access ${dataDir}: the database is in ${folder}`);
  }
  const programs = folder === dataDir ? folder : path.dirname(folder);
  const binaries = await reachableBinaries(found, account, programs);
  return { cluster: { binaries, account, folder, password, durable, signal }, roles };
}

const replies = (server: Pick<PostgresServer, 'port' | 'password'>) =>
  withClient(urlOf(server), (client) => client.query('select 1')).then(
    () => true,
    () => undefined,
  );
