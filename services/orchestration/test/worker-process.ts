import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@switchyard/testing';
import type { Config } from '../src/config';
import { RUN_TOKEN_SECRET, SECRETS_MASTER_KEY } from './harness';
import { RUNNER_TOKEN } from './runner-client';

const ROOT = join(__dirname, '../../..');

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

export interface WorkerProcess {
  pid: number;
  signal(name: NodeJS.Signals): void;
  ended: Promise<number | null>;
  lines: readonly string[];
}

/**
 * Starts a built process on the harness's database and queue. `ready` is a part of the line that
 * the process logs after a successful start.
 */
export async function startProcess(
  config: Config,
  name: 'api' | 'worker' | 'runner',
  ready: string,
  environment: Record<string, string>,
): Promise<WorkerProcess> {
  const folder = name === 'runner' ? 'packages/runner' : 'services/orchestration';
  const program = join(ROOT, folder, 'dist/bin', `${name}.js`);
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: config.dataDir,
      RUNNER_TOKEN,
      LOG_FORMAT: 'json',
      ...(name !== 'runner' && servesOf(config)),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.add(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  await new Promise<void>((resolve, reject) => {
    output.on('line', (line) => {
      lines.push(line);
      if (line.includes(ready)) resolve();
    });
    void ended.then((code) => reject(new Error(`the ${name} ended with ${code}`)));
  });
  return {
    pid: child.pid as number,
    signal: (signal) => {
      child.kill(signal);
    },
    ended,
    lines,
  };
}

const servesOf = (config: Config) => ({
  DATABASE_URL: config.databaseUrl,
  REDIS_URL: config.redisUrl,
  REDIS_PREFIX: config.redisPrefix,
  PUBLIC_URL: config.publicUrl,
  RUN_TOKEN_SECRET,
  SECRETS_MASTER_KEY,
  DATABASE_POOL_SIZE: '10',
  SHUTDOWN_GRACE_SEC: '4',
  RUN_LEASE_SEC: '3',
});

export interface ListeningWorker extends WorkerProcess {
  url: string;
}

export async function startWorkerProcess(
  config: Config,
  environment: Record<string, string> = {},
): Promise<ListeningWorker> {
  const port = await freePort();
  const more = { WORKER_PORT: String(port), ...environment };
  const worker = await startProcess(config, 'worker', '"worker is ready"', more);
  return { ...worker, url: `http://127.0.0.1:${more.WORKER_PORT}` };
}

let runners = 0;

export function startRunnerProcess(
  config: Config,
  url: string,
  environment: Record<string, string> = {},
): Promise<WorkerProcess> {
  return startProcess(config, 'runner', '"runner is ready"', {
    RUNNER_URL: url,
    RUNNER_PORT: '0',
    RUNNER_NAME: `runner-${++runners}`,
    RUNNER_DRAIN_SEC: '1',
    ...environment,
  });
}

export async function startHostProcesses(
  config: Config,
  name?: string,
  environment: Record<string, string> = {},
): Promise<WorkerProcess> {
  const worker = await startWorkerProcess(config, environment);
  const named: Record<string, string> = name === undefined ? {} : { RUNNER_NAME: name };
  const runner = await startRunnerProcess(config, worker.url, named);
  const ending = (name: NodeJS.Signals) => name === 'SIGTERM' || name === 'SIGINT';
  return {
    pid: worker.pid,
    signal: (name) => {
      runner.signal(name);
      if (!ending(name)) worker.signal(name);
      else void runner.ended.then(() => worker.signal(name));
    },
    ended: Promise.all([runner.ended, worker.ended]).then(
      ([ofRunner, ofWorker]) => ofRunner || ofWorker,
    ),
    get lines() {
      return [...worker.lines, ...runner.lines];
    },
  };
}
