import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const { connectQueues } = createRequire(import.meta.url)('@switchyard/queue');

const READY = {
  api: 'api is listening',
  worker: 'worker is ready',
  runner: 'runner is ready',
  metrics: 'metrics service is listening',
};
const SERVICES = {
  api: 'orchestration',
  worker: 'orchestration',
  runner: 'orchestration',
  metrics: 'metrics',
};

export function redisUrl() {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('REDIS_URL is not set');
  return url;
}

export const environmentOf = (databaseUrl, prefix) => ({
  PATH: process.env.PATH,
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl(),
  REDIS_PREFIX: prefix,
  RUN_TOKEN_SECRET: 'a secret of the benchmark, which signs nothing at all',
  SECRETS_MASTER_KEY: Buffer.alloc(32).toString('base64'),
  RUNNER_TOKEN: 'a-token-of-the-benchmark-and-of-nothing-else',
  RUNNER_DRAIN_SEC: '0',
  RUNNER_PORT: '0',
  DATA_DIR: tmpdir(),
  WORKER_PORT: '0',
  API_PROMETHEUS_PORT: '0',
  AGENT_PORT: '0',
  LOG_FORMAT: 'json',
});

export const OWN = fileURLToPath(new URL('../../../..', import.meta.url));

/** In an earlier checkout, the orchestration service may contain the runner. */
const programOf = (name, checkout) => {
  const own = join(checkout, 'packages', name, 'dist/bin', `${name}.js`);
  const earlier = join(checkout, 'services', SERVICES[name], 'dist/bin', `${name}.js`);
  return existsSync(own) ? own : earlier;
};

export const hasProgram = (name, checkout = OWN) => existsSync(programOf(name, checkout));

export async function startProcess(name, environment, checkout = OWN) {
  const service = join(checkout, 'services', SERVICES[name]);
  const child = spawn(process.execPath, [programOf(name, checkout)], {
    env: { ...memorySettings(join(service, 'Dockerfile')), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(READY[name])) resolve();
    });
    void ended.then(([code]) => reject(new Error(`the ${name} ended with ${code}`)));
  });
  return {
    pid: child.pid,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function memorySettings(dockerfile) {
  const found = readFileSync(dockerfile, 'utf8').matchAll(/(NODE_OPTIONS|MALLOC_ARENA_MAX)=(\S+)/g);
  return Object.fromEntries(Array.from(found, ([, name, value]) => [name, value]));
}

export async function forgetKeys(prefix) {
  const queues = connectQueues(redisUrl(), () => undefined);
  try {
    let cursor = '0';
    do {
      const [next, keys] = await queues.consumer.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 500);
      if (keys.length > 0) await queues.consumer.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    await queues.close();
  }
}
