import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '@switchyard/bootstrap/terminal';
import { LOCAL_SECRETS, OWN_SECRETS } from '@switchyard/server/local-secrets';
import { migrate } from '../migrate.js';
import { freePort } from '../ports.js';
import { createDatabase } from '../postgres/client.js';
import { stopServer, urlOf } from '../postgres/server.js';
import { startPostgres } from '../postgres/start.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { startRedis } from '../redis/start.js';
import { makeTemporaryPlaces } from '../temporary-servers.js';
import { buildProjects } from './build.js';

/** Says a number five times a second and reports a use with each fifth, until the file is there. */
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
  usage: { costCents: number } | null;
}

/**
 * `npm run rehearse-runner -- [restarts, default 50] [agents, 16] [seconds without PostgreSQL, 60]`: restarts the worker
 * again and again under running agents, in order and by force, then takes PostgreSQL away. No run may begin anew, and no
 * line and no use of it may be missing.
 */
export async function rehearseRunner(
  life: Lifecycle,
  root: string,
  [restarts = '50', agents = '16', away = '60']: string[],
): Promise<number> {
  await buildProjects(root, ['services/orchestration'], life.stop);
  const places = makeTemporaryPlaces(life);
  const where = { root, env: process.env, ...places };
  const { server, restart } = await startPostgres(life, where, { durable: true });
  const redis = await startRedis(life, where, { durable: false, variable: 'REDIS_URL' });
  await createDatabase(urlOf(server()), 'rehearsal');
  const database = urlOf(server(), 'rehearsal');
  await migrate(root, { orchestration: { runner: { DATABASE_URL: database } } }, life.stop);
  const ports = { api: await freePort(), agents: await freePort(), worker: await freePort() };
  const secrets = Object.entries({ ...LOCAL_SECRETS, ...OWN_SECRETS });
  const common = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: places.dataDir,
    LOG_LEVEL: 'error',
    ...Object.fromEntries(secrets.map(([name, make]) => [name, make()])),
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    ORCHESTRATION_PORT: String(ports.api),
    AGENT_PORT: String(ports.agents),
    WORKER_PORT: String(ports.worker),
    API_METRICS_PORT: '0',
    SHUTDOWN_GRACE_SEC: '4',
    RUNNER_URL: `http://127.0.0.1:${ports.worker}`,
    RUNNER_PORT: '0',
    RUNNER_CONCURRENCY: '64',
    RUNNER_DRAIN_SEC: '0',
    SANDBOX: process.env.SANDBOX,
  };
  const start = (name: string): ChildProcess => {
    const bin = path.join(root, `services/orchestration/dist/bin/${name}.js`);
    // What they log of a server that is away is what is rehearsed here.
    return spawn(process.execPath, [bin], { env: common, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const [api, runner] = [start('api'), start('runner')];
  let worker = start('worker');
  life.onEnd('services', async () => {
    for (const child of [runner, worker, api]) await end(child, 'SIGKILL');
  });
  const at = `http://127.0.0.1:${ports.api}`;
  const until = async (url: string) => {
    while (!(await fetch(url).catch(() => null))?.ok) {
      life.stop.throwIfAborted();
      await sleep(100);
    }
  };
  await until(`${at}/readyz`);
  const ask = async <T>(method: string, where: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const options = { method, headers, body: body && JSON.stringify(body) };
    const response = await fetch(`${at}/api${where}`, options);
    if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const company = await ask<{ id: string }>('POST', '/companies', { name: 'Rehearsal' });
  const folder = path.join(places.dataDir, 'rehearsal');
  mkdirSync(folder);
  const runs: string[] = [];
  for (let count = 0; count < Number(agents); count++) {
    const agent = await ask<{ id: string }>('POST', `/companies/${company.id}/agents`, {
      name: `Agent ${count}`,
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', AGENT], cwd: folder },
    });
    const path = `/agents/${agent.id}/heartbeat/invoke`;
    runs.push((await ask<{ id: string }>('POST', path, {})).id);
  }
  const runOf = (id: string) => ask<Run>('GET', `/heartbeat-runs/${id}`);
  const all = () => Promise.all(runs.map(runOf));
  const untilAll = async (isSo: (run: Run) => boolean) => {
    while (!(await all()).every(isSo)) {
      life.stop.throwIfAborted();
      await sleep(200);
    }
  };
  await untilAll(({ status }) => status === 'running');
  say(`  ${runs.length} agents are at work`);
  for (let turn = 0; turn < Number(restarts); turn++) {
    await end(worker, turn % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
    worker = start('worker');
    await until(`http://127.0.0.1:${ports.worker}/readyz`);
  }
  say(`  the worker was restarted ${restarts} times`);
  await stopServer(server());
  await sleep(Number(away) * 1_000, undefined, { signal: life.stop });
  await restart();
  await until(`${at}/readyz`);
  say(`  PostgreSQL was away for ${away} s`);
  writeFileSync(path.join(folder, 'stop'), '');
  await untilAll(({ status }) => status !== 'running' && status !== 'queued');
  const ended = await all();
  const logs = await Promise.all(
    runs.map((id) => ask<{ content: string }>('GET', `/heartbeat-runs/${id}/log?limit=1048576`)),
  );
  const isWhole = ({ content }: { content: string }, place: number) => {
    const last = Number(/^last (\d+)$/m.exec(content)?.[1]);
    const numbers = [...content.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number));
    const isComplete = numbers.length === last && numbers.every((number, at) => number === at + 1);
    return isComplete && (ended[place]?.usage?.costCents ?? 0) === Math.floor(last / 5);
  };
  const again = ended.filter(({ attempt }) => attempt > 1).length;
  const failed = ended.filter(({ status }) => status !== 'succeeded').length;
  const torn = logs.filter((log, place) => !isWhole(log, place)).length;
  say(
    `  ${runs.length} runs: ${again} begun anew, ${failed} not succeeded, ${torn} with a log or use that is not whole`,
  );
  return again + failed + torn === 0 ? 0 : 1;
}
