import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyFreePort, freePort } from '../ports.mjs';
import { explain } from '../problem.mjs';
import { end } from '../process/end.mjs';
import { identity } from '../process/table.mjs';
import { ping } from './ping.mjs';

const ANSWER_MS = 60_000;

function flags(program, { durable }, port) {
  if (program.isJavaScript) return [...program.args, '--port', String(port)];
  const kept = durable ? ['--appendonly', 'yes'] : ['--appendonly', 'no'];
  const fixed = ['--bind', '127.0.0.1', '--daemonize', 'no', '--maxmemory-policy', 'noeviction'];
  return ['--port', String(port), ...fixed, ...kept, '--save', ''];
}

/** The folder is its working directory: as an argument a space in the path would break it. */
function launch(options, port) {
  const { program, folder, logFile } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program.command, flags(program, options, port), {
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

export async function untilPong({ pid, port }, signal, waitMs = ANSWER_MS) {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    signal?.throwIfAborted();
    if ((await ping(port)) === '+PONG') return true;
    if (identity(pid) === undefined) return false;
    await sleep(30);
  }
  return false;
}

export async function startServer(options, onLaunch) {
  const { logFile, signal } = options;
  let port = await freePort(options.port);
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const offset = existsSync(logFile) ? statSync(logFile).size : 0;
    const pid = launch(options, port);
    const server = { pid, port, started: pid && identity(pid) };
    onLaunch?.(server);
    if (await untilPong(server, signal)) return server;
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

export const urlOf = ({ port }) => `redis://127.0.0.1:${port}`;
