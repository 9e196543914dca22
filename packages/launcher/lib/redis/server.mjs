import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyFreePort, freePort } from '../ports.mjs';
import { explain } from '../problem.mjs';
import { end } from '../process/end.mjs';
import { identity } from '../process/table.mjs';
import { pingWith } from './ping.mjs';

const ANSWER_MS = 60_000;
const CONFIGURATION = 'redis.conf';

/** What no client of ours needs, and what turns a key into files or code of the server's account. */
const CLOSED = ['acl', 'config', 'debug', 'migrate', 'module', 'replicaof', 'slaveof'];

/** In a file, because everybody reads the arguments of a process; and there as a hash. */
function configuration({ durable, password }, port) {
  const hash = createHash('sha256').update(password).digest('hex');
  const closed = CLOSED.map((command) => `-${command}`).join(' ');
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    'daemonize no',
    'maxmemory-policy noeviction',
    `appendonly ${durable ? 'yes' : 'no'}`,
    'save ""',
    `user default on #${hash} ~* &* +@all ${closed}`,
    '',
  ].join('\n');
}

/** The folder is its working directory: as an argument a space in the path would break it. */
function launch(options, port) {
  const { program, folder, logFile } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, CONFIGURATION), configuration(options, port), { mode: 0o600 });
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program.command, [CONFIGURATION], {
    cwd: folder,
    env: { ...process.env, ...program.env },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => {});
  child.unref();
  return child.pid;
}

/** False as soon as it is certain: the process is over, or the server wants another password, or none. */
export async function untilPong({ pid, port }, password, signal, waitMs = ANSWER_MS) {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    signal?.throwIfAborted();
    const answer = await pingWith(password, port);
    if (answer === '+PONG') return true;
    if (/^-(WRONGPASS|ERR)/.test(answer) || identity(pid) === undefined) return false;
    await sleep(30);
  }
  return false;
}

export async function startServer(options, onLaunch) {
  const { logFile, password, signal } = options;
  let port = await freePort(options.port);
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const offset = existsSync(logFile) ? statSync(logFile).size : 0;
    const pid = launch(options, port);
    const server = { pid, port, started: pid && identity(pid) };
    onLaunch?.(server);
    if (await untilPong(server, password, signal)) return server;
    await stopServer(server);
    const written = readFileSync(logFile).subarray(offset).toString();
    if (attempt < 3 && /Address already in use|EADDRINUSE/.test(written)) {
      port = await anyFreePort();
      continue;
    }
    throw explain('Starting Redis', written, `Its log is ${logFile}; its data ${options.folder}.`);
  }
}

export const stopServer = ({ pid }, now) => end(pid, { waitMs: 10_000, now });

export const urlOf = ({ port }, password) => `redis://:${password}@127.0.0.1:${port}`;
