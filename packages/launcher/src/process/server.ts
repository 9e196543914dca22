import { type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identity, isSame } from '@switchyard/bootstrap/identity';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { notice } from '@switchyard/bootstrap/terminal';
import { explain, type UserError } from '@switchyard/bootstrap/user-error';
import { freePort } from '../ports.js';
import { end } from './end.js';
import type { KeptProcess } from './keep-up.js';
import type { Lifecycle } from './lifecycle.js';

export interface ServerProcess {
  pid: number;
  port: number;
  started?: string;
}

interface Start {
  name: string;
  recordFile: string;
  logFile: string;
  folder: string;
  stopSignal: NodeJS.Signals;
  prepare: () => unknown;
  command: (port: number) => [program: string, args: string[], options: SpawnOptions];
  isReady: (port: number) => Promise<boolean | undefined>;
}

export interface RunningServer extends KeptProcess {
  port: number;
  isReused: boolean;
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startServer(life: Lifecycle, start: Start): Promise<RunningServer> {
  const record: ServerProcess | undefined = readJson(start.recordFile);
  let current: ServerProcess | undefined;
  const stop = () => end(current?.pid, { signal: start.stopSignal, waitMs: 20_000, now: life.now });
  life.onEnd(stop);
  const run = async (port: number) => {
    life.stop.throwIfAborted();
    const offset = rotate(start.logFile);
    const pid = launch(start, port);
    current = { pid, port, started: identity(pid) };
    writeJson(start.recordFile, current);
    if (await untilReady(current, start, life.stop, 120_000)) return port;
    await stop();
    const { name, logFile, folder } = start;
    const written = readFileSync(logFile).subarray(offset).toString();
    throw explain(`Starting ${name}`, written, `Its log is ${logFile}; its data ${folder}.`);
  };
  const left = record && isSame(record) ? record : undefined;
  current = left;
  const isReused = left !== undefined && (await untilReady(left, start, life.stop, 20_000));
  if (left && !isReused) await stop();
  if (!isReused) await start.prepare();
  const port = isReused ? left.port : await onFreePort(record?.port, run);
  const restart = async () => {
    await run(port);
    notice(`${start.name} is back`);
  };
  return { port, isReused, pid: () => current?.pid, restart, stop };
}

/** Retries, because another program may take the free port before the server does. */
async function onFreePort(
  preferred: number | undefined,
  run: (port: number) => Promise<number>,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(await freePort(attempt === 1 ? preferred : undefined));
    } catch (error) {
      const { detail = '' } = error as Partial<UserError>;
      const isTaken = /could not bind|Address already in use|EADDRINUSE/.test(detail);
      if (attempt === 3 || !isTaken) throw error;
    }
  }
}

const LOG_LIMIT = 5_000_000;

function rotate(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_LIMIT) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

function launch({ command, logFile }: Start, port: number): number {
  // The server writes to a log file, not to a pipe, because it must be able to write after the
  // launcher has been killed.
  const log = openSync(logFile, 'a', 0o600);
  const [program, args, options] = command(port);
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.on('error', () => {});
  child.unref();
  return child.pid ?? 0;
}

export async function untilReady(
  { pid, port }: ServerProcess,
  { isReady }: Pick<Start, 'isReady'>,
  signal: AbortSignal,
  waitMs: number,
): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    signal.throwIfAborted();
    const known = await isReady(port);
    if (known !== undefined) return known;
    if (identity(pid) === undefined) return false;
    await sleep(30);
  }
  return false;
}
