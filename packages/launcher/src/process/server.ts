import { type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identity } from '@switchyard/bootstrap/identity';
import { explain } from '@switchyard/bootstrap/user-error';
import { freePort } from '../ports.js';

/** PostgreSQL or Redis as a process of ours. */
export interface ServerProcess {
  pid: number;
  port: number;
  started?: string;
}

export interface Start {
  name: string;
  /** The one to try first. */
  port?: number;
  logFile: string;
  /** Where the data is, for a failure's text. */
  folder: string;
  signal: AbortSignal;
  /** Before the first wait, so that a stop at any moment finds the process. */
  onLaunch: (server: ServerProcess) => void;
  command: (port: number) => [program: string, args: string[], options: SpawnOptions];
  isReady: (server: ServerProcess) => Promise<boolean>;
  stop: (server: ServerProcess) => Promise<void>;
}

/** On a free port, as far as that is known: another program may take it before the server does. */
export async function startServer(start: Start): Promise<ServerProcess> {
  const { name, logFile, folder, signal } = start;
  let port = await freePort(start.port);
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const offset = existsSync(logFile) ? statSync(logFile).size : 0;
    const pid = launch(start, port);
    const server = { pid, port, started: identity(pid) };
    start.onLaunch(server);
    if (await start.isReady(server)) return server;
    await start.stop(server);
    const written = readFileSync(logFile).subarray(offset).toString();
    if (attempt === 3 || !/could not bind|Address already in use|EADDRINUSE/.test(written)) {
      throw explain(`Starting ${name}`, written, `Its log is ${logFile}; its data ${folder}.`);
    }
    port = await freePort();
  }
}

const LOG_LIMIT = 5_000_000;

function launch({ command, logFile }: Start, port: number): number {
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT) {
    renameSync(logFile, `${logFile}.1`);
  }
  // A log file, not a pipe: the server outlives a killed launcher and must be able to write.
  const log = openSync(logFile, 'a', 0o600);
  const [program, args, options] = command(port);
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.on('error', () => {});
  child.unref();
  return child.pid ?? 0;
}

/** Asks until `isReady` knows, the process has ended, or `waitMs` are over. */
export async function untilReady(
  { pid }: ServerProcess,
  signal: AbortSignal,
  waitMs: number,
  isReady: () => Promise<boolean | undefined>,
): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    signal.throwIfAborted();
    const known = (await isReady()) ?? (identity(pid) === undefined ? false : undefined);
    if (known !== undefined) return known;
    await sleep(30);
  }
  return false;
}
