import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from './build-company.mjs';
import { environmentOf, hasProgram, startProcess } from './processes.mjs';

export async function startProduct(name, databaseUrl, prefix, { checkout, settings } = {}) {
  const port = await freePort();
  const workerPort = await freePort();
  const environment = {
    ...environmentOf(databaseUrl, prefix),
    API_PORT: String(port),
    WORKER_PORT: String(workerPort),
    RUNNER_URL: `http://127.0.0.1:${workerPort}`,
    RUNNER_NAME: `bench-${workerPort}`,
    ...settings,
  };
  const started = [];
  const product = {
    name,
    url: `http://127.0.0.1:${port}`,
    pids: [],
    stop: () => Promise.all(started.map((each) => each.stop())),
  };
  const add = async (process) => {
    const running = await startProcess(process, environment, checkout);
    started.push(running);
    product.pids.push(running.pid);
  };
  await add('api');
  const addWorker = async () => {
    await add('worker');
    if (hasProgram('runner', checkout)) await add('runner');
  };
  return { ...product, addWorker };
}

const BARE = fileURLToPath(new URL('../http/bare-server.mjs', import.meta.url));

export async function startBare(databaseUrl) {
  const child = spawn(process.execPath, [BARE], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    name: 'bare',
    url: `http://127.0.0.1:${line.split(' ').at(-1)}`,
    pids: [child.pid],
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
