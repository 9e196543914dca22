import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyFreePort, freePort } from '../ports.mjs';
import { explain, problem } from '../problem.mjs';
import { end } from '../process/end.mjs';
import { commandName, identity } from '../process/table.mjs';
import { withClient } from './client.mjs';
import { cleanEnv, SUPERUSER } from './cluster.mjs';

const LOG_LIMIT = 5_000_000;
const ANSWER_MS = 120_000;
const THROW_AWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** As the cluster's superuser, who makes roles; never for a service. */
export const urlOf = ({ password, port }, database = 'postgres') =>
  `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

export function parsePidFile(text) {
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** The postmaster of an earlier start, or nothing; a file left by a process of the past is removed. */
export function running(folder) {
  const file = path.join(folder, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const found = parsePidFile(readFileSync(file, 'utf8'));
  if (commandName(found.pid) === 'postgres') return found;
  rmSync(file, { force: true });
  return undefined;
}

const answers = (root, server) =>
  withClient(root, urlOf(server), (client) => client.query('select 1')).then(
    () => true,
    () => false,
  );

async function untilAnswers({ root, server, signal, waitMs }) {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    signal?.throwIfAborted();
    if (await answers(root, server)) return true;
    if (identity(server.pid) === undefined) return false;
    await sleep(40);
  }
  return false;
}

/** One that lives but does not answer is on its way up or down: both are waited for. */
export async function adopt({ root, folder, password, roles, signal }) {
  const found = running(folder);
  if (!found) return undefined;
  const server = { ...found, password, roles };
  if (await untilAnswers({ root, server, signal, waitMs: 20_000 })) return server;
  if (identity(found.pid) === undefined) return undefined;
  throw problem(
    `A PostgreSQL (process ${found.pid}) uses ${folder}/postgres and does not answer.`,
    `Stop it (kill -INT ${found.pid}) and start again.`,
  );
}

function openLog(file) {
  if (existsSync(file) && statSync(file).size > LOG_LIMIT) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

function launch({ binaries, account, folder, durable, logFile }, port) {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    // Queues are rows that come and go: waited for longer, what is gone slows every look at them.
    'autovacuum_naptime=10s',
  ];
  if (!durable) settings.push(...THROW_AWAY);
  const args = ['-D', path.join(folder, 'postgres'), '-p', String(port)];
  for (const setting of settings) args.push('-c', setting);
  const log = openLog(logFile);
  // A log file, not a pipe: the server outlives a killed launcher and must be able to write.
  const child = spawn(path.join(binaries.bin, 'postgres'), args, {
    cwd: '/',
    env: cleanEnv(),
    uid: account?.uid,
    gid: account?.gid,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => {});
  child.unref();
  return child.pid;
}

/** `onLaunch` is called before the first wait, so that a stop at any moment finds the process. */
export async function startServer(options, onLaunch) {
  const { root, password, roles, logFile, signal } = options;
  let port = await freePort(options.port);
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const offset = existsSync(logFile) ? statSync(logFile).size : 0;
    const server = { pid: launch(options, port), port, password, roles };
    onLaunch?.(server);
    if (await untilAnswers({ root, server, signal, waitMs: ANSWER_MS })) return server;
    await stopServer(server);
    const written = readFileSync(logFile).subarray(offset).toString();
    if (attempt < 3 && /could not bind|Address already in use/.test(written)) {
      port = await anyFreePort();
      continue;
    }
    throw explain('Starting PostgreSQL', written, `Its log is ${logFile}.`);
  }
}

/** SIGINT is PostgreSQL's fast shutdown: clients are cut off, the data is written down. */
export const stopServer = ({ pid }, now) => end(pid, { signal: 'SIGINT', waitMs: 20_000, now });
