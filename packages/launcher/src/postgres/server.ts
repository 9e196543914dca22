import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { identity } from '@switchyard/bootstrap/identity';
import { UserError } from '@switchyard/bootstrap/user-error';
import { end } from '../process/end.js';
import { type ServerProcess, type Start, startServer, untilReady } from '../process/server.js';
import { withClient } from './client.js';
import { type Cluster, cleanEnv, SUPERUSER } from './cluster.js';

export interface PostgresServer extends ServerProcess {
  password: string;
  /** The passwords of the roles; none where an earlier release made the cluster. */
  roles?: Record<string, string>;
}

export interface ServerOptions
  extends Cluster,
    Pick<PostgresServer, 'roles'>,
    Pick<Start, 'port' | 'logFile'> {}

const NOT_DURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export async function startPostgresServer(
  options: ServerOptions,
  onLaunch: (server: PostgresServer) => void,
): Promise<PostgresServer> {
  const { binaries, account, folder, durable, password, roles, signal } = options;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    // Queues are rows that come and go: waited for longer, what is gone slows every look at them.
    'autovacuum_naptime=10s',
    ...(durable ? [] : NOT_DURABLE),
  ].flatMap((setting) => ['-c', setting]);
  const server = await startServer({
    ...options,
    name: 'PostgreSQL',
    onLaunch: (launched) => onLaunch({ ...launched, password, roles }),
    command: (port) => [
      path.join(binaries.bin, 'postgres'),
      ['-D', path.join(folder, 'postgres'), '-p', String(port), ...settings],
      { cwd: '/', env: cleanEnv(), uid: account?.uid, gid: account?.gid },
    ],
    isReady: (launched) => untilReplies({ ...launched, password }, signal, 120_000),
    stop: stopServer,
  });
  return { ...server, password, roles };
}

/** SIGINT is PostgreSQL's fast shutdown: clients are cut off, the data is written down. */
export const stopServer = ({ pid }: ServerProcess, now?: AbortSignal) =>
  end(pid, { signal: 'SIGINT', waitMs: 20_000, now });

/** As the cluster's superuser, who makes roles; never for a service. */
export const urlOf = ({ password, port }: PostgresServer, database = 'postgres') =>
  `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

/** The server that an earlier start left in `folder`. One that does not reply is on its way up or down. */
export async function adopt({
  folder,
  password,
  roles,
  signal,
}: Partial<PostgresServer> & { folder: string; signal: AbortSignal }): Promise<
  PostgresServer | undefined
> {
  const found = running(folder);
  if (!found) return undefined;
  const server = { ...found, password: password ?? '', roles };
  if (await untilReplies(server, signal, 20_000)) return server;
  if (identity(found.pid) === undefined) return undefined;
  throw new UserError(
    `A PostgreSQL (process ${found.pid}) uses ${folder}/postgres and does not answer.`,
    `Stop it (kill -INT ${found.pid}) and start again.`,
  );
}

/** The postmaster of an earlier start, or nothing; a file left by a process of the past is removed. */
export function running(folder: string): { pid: number; port: number } | undefined {
  const file = path.join(folder, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const found = parsePidFile(readFileSync(file, 'utf8'));
  if (commandName(found.pid) === 'postgres') return found;
  rmSync(file, { force: true });
  return undefined;
}

export function parsePidFile(text: string): { pid: number; port: number } {
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

function commandName(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    const text = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return text.trim().split('/').at(-1);
  } catch {
    return undefined;
  }
}

const untilReplies = (server: PostgresServer, signal: AbortSignal, waitMs: number) =>
  untilReady(server, signal, waitMs, () =>
    withClient(urlOf(server), (client) => client.query('select 1')).then(
      () => true,
      () => undefined,
    ),
  );
