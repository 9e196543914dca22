import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '@switchyard/bootstrap/terminal';
import { buildProjects } from '@switchyard/launcher/commands/build';
import { migrate } from '@switchyard/launcher/migrate';
import { freePort } from '@switchyard/launcher/ports';
import { createDatabase, urlOf, withClient } from '@switchyard/launcher/postgres/client';
import { startPostgres } from '@switchyard/launcher/postgres/start';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { runInTerminal } from '@switchyard/launcher/process/run';
import { startRedis } from '@switchyard/launcher/redis/start';
import { makeTemporaryPlaces } from '@switchyard/launcher/temporary-servers';
import { LOCAL_SECRETS, OWN_SECRETS } from '@switchyard/server/local-secrets';
import { Redis } from 'ioredis';
import { startLoad } from './storm/load.js';
import { openProcesses, type Part } from './storm/processes.js';
import { seeded } from './storm/random.js';

const AGENT = `
  console.log(JSON.stringify({
    type: 'usage', provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 1,
  }));
  setTimeout(() => console.log('done'), 1_500);`;
const AGENTS = 6;
const CLIENTS = 4;
const SETTLE_SEC = 180;
const LEASE_SEC = 3;

const INVARIANTS = 'services/orchestration/assets/invariants.sql';

const OPEN = `
  SELECT (SELECT count(*) FROM heartbeat_run WHERE status IN ('queued', 'running'))
    + (SELECT count(*) FROM agent_wakeup WHERE status = 'pending') AS open`;

/**
 * `npm run rehearse -- storm [seed, default 1] [faults, 20]`: sends random requests to two APIs
 * while faults hit the APIs, two workers, a runner, Redis and PostgreSQL. Afterwards a separate
 * program compares the journal of the requests with the database.
 */
export async function rehearseStorm(
  life: Lifecycle,
  root: string,
  [seed = '1', faults = '20']: string[],
): Promise<number> {
  await buildProjects(root, ['services/orchestration', 'packages/runner'], life.stop);
  const places = makeTemporaryPlaces(life);
  const where = { root, env: process.env, ...places };
  const postgres = await startPostgres(life, where, { durable: true });
  const redis = await startRedis(life, where, { durable: false, variable: 'REDIS_URL' });
  await createDatabase(urlOf(postgres), 'storm');
  const database = urlOf(postgres, 'storm');
  await migrate(root, { orchestration: { runner: { DATABASE_URL: database } } }, life.stop);
  const parts = await makeParts(path.join(places.dataDir, 'here'), database, redis.url);
  const processes = openProcesses(root, life.stop);
  life.onEnd(() => processes.killAll(parts));
  for (const part of parts) processes.start(part);
  await processes.untilReady(parts);

  const apis = parts.filter(({ kind }) => kind === 'api').map(({ ready }) => new URL(ready).origin);
  const target = { apis, ...(await makeCompany(apis[0] as string)) };
  const folder = path.join(places.dataDir, 'storm');
  mkdirSync(folder);
  const journal = path.join(folder, 'journal.jsonl');
  writeFileSync(journal, '');
  const random = seeded(Number(seed));
  const load = startLoad(target, journal, random, CLIENTS);
  const bites = { kill: 0, freeze: 0, flush: 0, redis: 0, postgres: 0 };
  const runner = parts.find(({ kind }) => kind === 'runner') as Part;
  const faultsOf = {
    kill: async () => Number(await processes.kill(bites.kill === 0 ? runner : random.of(parts))),
    freeze: async () => {
      const isFrozen = processes.signal(runner, 'SIGSTOP');
      await sleep(3 * LEASE_SEC * 1_000);
      processes.signal(runner, 'SIGCONT');
      return Number(isFrozen);
    },
    flush: () => flush(redis.url),
    redis: async () => {
      process.kill(redis.pid() as number, 'SIGKILL');
      await sleep(2_000);
      await redis.restart();
      return 1;
    },
    postgres: async () => {
      process.kill(postgres.pid() as number, 'SIGQUIT');
      await sleep(1_000);
      const isAway = await withClient(urlOf(postgres), (client) => client.query('SELECT 1')).then(
        () => false,
        () => true,
      );
      await postgres.restart();
      return Number(isAway);
    },
  };
  const kinds = Object.keys(bites) as (keyof typeof bites)[];
  const recoveries: number[] = [];
  for (let turn = 0; turn < Number(faults); turn++) {
    const kind = turn < kinds.length ? (kinds[turn] as keyof typeof bites) : random.of(kinds);
    bites[kind] += await faultsOf[kind]();
    const begun = performance.now();
    processes.restart(parts);
    await processes.untilReady(parts);
    recoveries.push(Math.round(performance.now() - begun));
    say(`  ${turn + 1}: ${kind}, ready after ${recoveries.at(-1)} ms`);
    await sleep(1_000 + random.below(2_000), undefined, { signal: life.stop });
  }
  await load.stop();
  say(`  requests: ${JSON.stringify(load.counts)}; faults that bit: ${JSON.stringify(bites)}`);
  const left = await untilSettled(database);
  say(`  left open: ${left}`);
  const state = path.join(folder, 'state.json');
  writeFileSync(state, JSON.stringify(await readState(root, database)));
  const audit = path.join(root, 'packages/lab/storm/audit.py');
  const code = await runInTerminal(life, 'python3', [audit, journal, state], { cwd: root });
  const harmless = kinds.filter((kind) => bites[kind] === 0);
  if (harmless.length > 0) say(`  faults without effect: ${harmless}`);
  return code === 0 && left === 0 && load.counts.left === 0 && harmless.length === 0 ? 0 : 1;
}

async function makeParts(dataDir: string, database: string, redisUrl: string): Promise<Part[]> {
  const secrets = Object.entries({ ...LOCAL_SECRETS, ...OWN_SECRETS });
  const common = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    ...Object.fromEntries(secrets.map(([name, make]) => [name, make()])),
    DATABASE_URL: database,
    REDIS_URL: redisUrl,
    API_PROMETHEUS_PORT: '0',
    RUN_LEASE_SEC: String(LEASE_SEC),
    RATE_LIMIT_PER_CREDENTIAL: '0',
    SANDBOX: 'off',
  };
  const parts: Part[] = [];
  const add = async (kind: Part['kind'], name: string, own: (port: number) => object) => {
    const port = await freePort();
    const environment = { ...common, ...own(port) };
    parts.push({ name, kind, ready: `http://127.0.0.1:${port}/readyz`, environment });
    return port;
  };
  for (const name of ['api 1', 'api 2']) {
    const agents = await freePort();
    await add('api', name, (port) => ({
      API_PORT: String(port),
      AGENT_PORT: String(agents),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    }));
  }
  const [api] = parts;
  const shared = { PUBLIC_URL: new URL(api?.ready ?? '').origin };
  const worker = (port: number) => ({ WORKER_PORT: String(port), ...shared });
  const workerPort = await add('worker', 'worker 1', worker);
  await add('worker', 'worker 2', worker);
  await add('runner', 'runner', (port) => ({
    RUNNER_URL: `http://127.0.0.1:${workerPort}`,
    RUNNER_PORT: String(port),
    RUNNER_NAME: 'storm',
  }));
  return parts;
}

async function makeCompany(api: string) {
  const post = async (where: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${api}/api${where}`, options);
    if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const { id: companyId } = await post('/companies', { name: 'Storm' });
  const agents: { id: string; name: string }[] = [];
  for (let count = 1; count <= AGENTS; count++) {
    const name = `Agent ${count}`;
    const { id } = await post(`/companies/${companyId}/agents`, {
      ...{ name, adapterType: 'process', wakeOnAssignment: true },
      adapterConfig: { command: process.execPath, args: ['-e', AGENT] },
    });
    agents.push({ id, name });
  }
  return { companyId, agents };
}

async function flush(url: string): Promise<number> {
  const client = new Redis(url);
  const keys = await client.dbsize();
  await client.flushall();
  client.disconnect();
  return Number(keys > 0);
}

async function untilSettled(database: string): Promise<number> {
  let open = -1;
  for (const end = performance.now() + SETTLE_SEC * 1_000; performance.now() < end; ) {
    const { rows } = await withClient(database, (client) => client.query(OPEN));
    open = Number(rows[0].open);
    if (open === 0) break;
    await sleep(500);
  }
  return open;
}

async function readState(root: string, database: string) {
  const state: Record<string, unknown[]> = {};
  await withClient(database, async (client) => {
    for (const file of ['packages/lab/storm/audit.sql', INVARIANTS]) {
      for (const query of readFileSync(path.join(root, file), 'utf8').split(/;$/m)) {
        if (!query.trim()) continue;
        for (const row of (await client.query(query)).rows) {
          const kind = row.kind ?? 'violated';
          state[kind] = [...(state[kind] ?? []), row];
        }
      }
    }
  });
  return state;
}
