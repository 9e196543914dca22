import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '@switchyard/bootstrap/terminal';
import { buildProjects } from '@switchyard/launcher/commands/build';
import { migrate } from '@switchyard/launcher/migrate';
import { freePort } from '@switchyard/launcher/ports';
import { createDatabase, urlOf } from '@switchyard/launcher/postgres/client';
import { startPostgres } from '@switchyard/launcher/postgres/start';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { startRedis } from '@switchyard/launcher/redis/start';
import { makeTemporaryPlaces } from '@switchyard/launcher/temporary-servers';
import { LOCAL_SECRETS, OWN_SECRETS } from '@switchyard/server/local-secrets';

const AGENT = `
  let at = 0;
  const tick = setInterval(() => {
    console.log('line ' + ++at);
    if (at % 5 === 0) console.log(JSON.stringify({
      type: 'usage', provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 1,
    }));
    if (!require('fs').existsSync('stop')) return;
    clearInterval(tick);
    console.log('last ' + at);
  }, 200);`;

interface Run {
  status: string;
  attempt: number;
  error: string | null;
  usage: { costCents: number } | null;
}

/**
 * `npm run rehearse -- runner [restarts, default 50] [agents, 16] [seconds without PostgreSQL,
 * 60]`: this many agents run at a runner of the worker, and as many at a company's runner of the
 * API. Restarts worker and API repeatedly, gracefully and by force, then stops PostgreSQL. Fails if
 * a run starts again, or a line or usage report is missing.
 */
export async function rehearseRunner(
  life: Lifecycle,
  root: string,
  [restarts = '50', agents = '16', away = '60']: string[],
): Promise<number> {
  await buildProjects(root, ['services/orchestration', 'packages/runner'], life.stop);
  const places = makeTemporaryPlaces(life);
  const where = { root, env: process.env, ...places };
  const server = await startPostgres(life, where, { durable: true });
  const redis = await startRedis(life, where, { durable: false, variable: 'REDIS_URL' });
  await createDatabase(urlOf(server), 'rehearsal');
  const database = urlOf(server, 'rehearsal');
  await migrate(root, { orchestration: { runner: { DATABASE_URL: database } } }, life.stop);
  const ports = { api: await freePort(), agents: await freePort(), worker: await freePort() };
  const at = { api: `http://127.0.0.1:${ports.api}`, worker: `http://127.0.0.1:${ports.worker}` };
  const secrets = Object.entries({ ...LOCAL_SECRETS, ...OWN_SECRETS });
  const common = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: path.join(places.dataDir, 'here'),
    LOG_LEVEL: 'error',
    ...Object.fromEntries(secrets.map(([name, make]) => [name, make()])),
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    API_PORT: String(ports.api),
    AGENT_PORT: String(ports.agents),
    WORKER_PORT: String(ports.worker),
    API_PROMETHEUS_PORT: '0',
    PUBLIC_URL: at.api,
    SHUTDOWN_GRACE_SEC: '4',
    RUNNER_PORT: '0',
    RUNNER_CONCURRENCY: '64',
    RUNNER_DRAIN_SEC: '0',
    SANDBOX: process.env.SANDBOX,
  };
  const processes = new Set<ChildProcess>();
  const start = (name: string, own: Record<string, string> = {}): ChildProcess => {
    const bin = path.join(
      root,
      name === 'runner' ? 'packages/runner' : 'services/orchestration',
      `dist/bin/${name}.js`,
    );
    const env = { ...common, ...own };
    const child = spawn(process.execPath, [bin], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    processes.add(child);
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    processes.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  life.onEnd(async () => {
    for (const child of processes) await end(child, 'SIGKILL');
  });
  const until = async (url: string) => {
    while (!(await fetch(url).catch(() => null))?.ok) {
      life.stop.throwIfAborted();
      await sleep(100);
    }
  };
  const untilReady = () => until(`${at.api}/readyz`);
  const ask = async <T>(method: string, where: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const options = { method, headers, body: body && JSON.stringify(body) };
    const response = await fetch(`${at.api}/api${where}`, options);
    if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  const serving = { api: start('api'), worker: start('worker') };
  await untilReady();
  const company = await ask<{ id: string }>('POST', '/companies', { name: 'Rehearsal' });
  const made = await ask<{ token: string }>('POST', `/companies/${company.id}/runners`, {
    name: 'Elsewhere',
    labels: ['elsewhere'],
  });
  start('runner', { RUNNER_URL: at.worker, RUNNER_NAME: 'here' });
  start('runner', {
    RUNNER_URL: at.api,
    RUNNER_NAME: 'elsewhere',
    RUNNER_TOKEN: made.token,
    DATA_DIR: path.join(places.dataDir, 'elsewhere'),
  });
  const folder = path.join(places.dataDir, 'rehearsal');
  mkdirSync(folder);
  const runs: string[] = [];
  for (let count = 0; count < 2 * Number(agents); count++) {
    const runnerLabels = count % 2 === 0 ? [] : ['elsewhere'];
    const agent = await ask<{ id: string }>('POST', `/companies/${company.id}/agents`, {
      name: `Agent ${count}`,
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', AGENT], cwd: folder, runnerLabels },
    });
    const path = `/agents/${agent.id}/heartbeat/invoke`;
    runs.push((await ask<{ id: string }>('POST', path, {})).id);
  }
  const all = () => Promise.all(runs.map((id) => ask<Run>('GET', `/heartbeat-runs/${id}`)));
  const untilAll = async (isSo: (run: Run) => boolean) => {
    while (!(await all()).every(isSo)) {
      life.stop.throwIfAborted();
      await sleep(200);
    }
  };
  await untilAll(({ status }) => status !== 'queued');
  const idle = (await all()).find(({ status }) => status !== 'running');
  if (idle) throw new Error(`an agent did not start: ${idle.error}`);
  say(`  ${agents} agents are at work at the worker, ${agents} at the API`);
  for (let turn = 0; turn < Number(restarts); turn++) {
    for (const name of ['worker', 'api'] as const) {
      await end(serving[name], turn % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      serving[name] = start(name);
      await until(`${at[name]}/readyz`);
    }
  }
  say(`  worker and API were restarted ${restarts} times each`);
  await server.stop();
  await sleep(Number(away) * 1_000, undefined, { signal: life.stop });
  await server.restart();
  await untilReady();
  say(`  PostgreSQL was away for ${away} s`);
  writeFileSync(path.join(folder, 'stop'), '');
  await untilAll(({ status }) => status !== 'running' && status !== 'queued');
  const ended = await all();
  const logs = await Promise.all(
    runs.map((id) => ask<{ content: string }>('GET', `/heartbeat-runs/${id}/log?limit=1048576`)),
  );
  const faulty = [0, 1].map((of) => {
    const own = <T>(list: T[]) => list.filter((_, place) => place % 2 === of);
    return describeFaults(own(ended), own(logs), of === 0 ? 'at the worker' : 'at the API');
  });
  return faulty.some(Boolean) ? 1 : 0;
}

function describeFaults(ended: Run[], logs: { content: string }[], where: string): boolean {
  const again = ended.filter(({ attempt }) => attempt > 1).length;
  const failed = ended.filter(({ status }) => status !== 'succeeded').length;
  const torn = logs.filter((log, place) => !isWhole(log, ended[place] as Run)).length;
  say(
    `  ${ended.length} runs ${where}: ${again} restarted, ${failed} not succeeded, ${torn} with a log or use that is not whole`,
  );
  return again + failed + torn > 0;
}

function isWhole({ content }: { content: string }, { usage }: Run): boolean {
  const last = Number(/^last (\d+)$/m.exec(content)?.[1]);
  const numbers = [...content.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number));
  const isComplete = numbers.length === last && numbers.every((number, at) => number === at + 1);
  return isComplete && (usage?.costCents ?? 0) === Math.floor(last / 5);
}
