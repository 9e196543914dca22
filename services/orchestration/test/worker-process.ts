import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../src/config';
import { RUN_TOKEN_SECRET, SECRETS_MASTER_KEY } from './harness';

const BIN = join(__dirname, '..', 'dist', 'bin');

const started = new Set<ChildProcess>();
// A process must not outlive the tests, whatever happens to them.
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

export interface WorkerProcess {
  pid: number;
  /** Sends a signal; for one that ends the process, `ended` tells when it is gone. */
  signal(name: NodeJS.Signals): void;
  ended: Promise<number | null>;
  /** The lines it has logged so far. */
  lines: readonly string[];
}

/** A built process on the harness's database and queue; `ready` is in the line that says it has begun. */
export function startProcess(
  config: Config,
  name: 'api' | 'worker',
  ready: string,
  environment: Record<string, string>,
): Promise<WorkerProcess> {
  return startBuilt(name, ready, {
    DATABASE_URL: config.databaseUrl,
    REDIS_URL: config.redisUrl,
    REDIS_PREFIX: config.redisPrefix,
    PUBLIC_URL: config.publicUrl,
    DATA_DIR: config.dataDir,
    RUN_TOKEN_SECRET,
    SECRETS_MASTER_KEY,
    DATABASE_POOL_SIZE: '10',
    SHUTDOWN_GRACE_SEC: '4',
    ...environment,
  });
}

async function startBuilt(
  name: string,
  ready: string,
  environment: Record<string, string>,
): Promise<WorkerProcess> {
  const { PATH, HOME, BWRAP_COMMAND, BWRAP_LIBRARY_PATH } = process.env;
  const child: ChildProcess = spawn(process.execPath, [join(BIN, `${name}.js`)], {
    env: { PATH, HOME, BWRAP_COMMAND, BWRAP_LIBRARY_PATH, LOG_FORMAT: 'json', ...environment },
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
    void ended.then((code) =>
      reject(new Error(`the ${name} ended with ${code}: ${lines.slice(-3).join('\n')}`)),
    );
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

/** A real worker process, ready to take work. */
export const startWorkerProcess = (config: Config): Promise<WorkerProcess> =>
  startProcess(config, 'worker', '"worker is ready"', { WORKER_PORT: '0' });

/** A real runner, which gets nothing but what is named here. */
export const startRunnerProcess = (environment: Record<string, string>): Promise<WorkerProcess> =>
  startBuilt('runner', '"runner is ready"', {
    RUNNER_PORT: '0',
    RUNNER_DRAIN_SEC: '0',
    ...environment,
  });
