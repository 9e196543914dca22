// Plays the kubelet, a Service and an ingress on one machine: starts two API and two worker processes with the
// commands, environment, probes and times of the manifests, puts load on them, and replaces all of them one by one.
// Fails when a request fails after one repetition, a run is lost, or a process needs to be killed.
// Usage: npm run rehearse-rollout [-- rounds]   TEST_DATABASE_URL and TEST_REDIS_URL replace the servers it starts itself.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, ingress, insideCluster } from './balance.mjs';
import { keepBusy, keepWaking, openClient } from './load.mjs';

const OVERLAY = 'overlays/production';
const AGENT = path.join(import.meta.dirname, 'agent.mjs');
/** Seconds of work; some outlive the drain, so that they are handed over. */
const AGENTS = [1, 1, 2, 3, 5, 8, 20, 60, 60, 90];
const PLACES = 6;
const SETTLE_MS = 180_000;

const begun = performance.now();
function say(text) {
  const at = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${at} s  ${text}\n`);
}

/** Made when they are needed: packages may have to be installed first. */
async function tools(root) {
  const [{ render }, kubelet] = await Promise.all([
    import('../render.mjs'),
    import('./kubelet.mjs'),
  ]);
  const { Client } = createRequire(path.join(root, 'packages/db/package.json'))('pg');
  return { manifests: render(path.join(root, 'k8s', OVERLAY)), kubelet, Client };
}

async function scratchDatabase(Client, serverUrl) {
  const name = `rehearsal_${process.pid}`;
  const run = async (text, url = serverUrl) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await run(`CREATE DATABASE ${name}`);
  const roles = { owner: `${name}_owner`, app: `${name}_app` };
  const as = (username) =>
    Object.assign(new URL(url), { username, password: randomBytes(24).toString('hex') }).href;
  return {
    /** The migration makes the two roles. */
    urls: { admin: url, owner: as(roles.owner), app: as(roles.app) },
    query: (text) => run(text, url),
    drop: async () => {
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await run(`DROP ROLE IF EXISTS ${roles.owner}, ${roles.app}`);
    },
  };
}

/** The cluster: what an operator would have made, and the pods of two Deployments. */
function openCluster({ root, manifests, kubelet, secrets, scratch }) {
  const image = kubelet.imageEnvironment(
    readFileSync(path.join(root, 'services/orchestration/Dockerfile'), 'utf8'),
  );
  const pods = new Set();
  let born = 0;
  /** What differs from a cluster: an address of its own for each pod on this machine, and where it may write. */
  const overrides = {};
  const podSpec = (kind, name) =>
    manifests.find((one) => one.kind === kind && one.metadata.name.startsWith(name)).spec.template
      .spec;
  const environmentFor = (address) => (container) => ({
    PATH: process.env.PATH,
    ...image,
    HOME: scratch,
    ...kubelet.environmentOf(manifests, container, secrets),
    HOST: address,
    DATA_DIR: path.join(scratch, address),
    PRISMA_ROOT: path.join(root, 'prisma'),
    REDIS_PREFIX: `rehearsal-${process.pid}`,
    PROCESS_ADAPTER_COMMANDS: 'node',
    // One person plays all of them.
    RATE_LIMIT_PER_CREDENTIAL: '0',
    ...overrides,
  });
  const start = (name, ready) => {
    born += 1;
    const address = `127.0.77.${born}`;
    const spec = podSpec('Deployment', name);
    const directory = kubelet.directoryOf(root, spec.containers[0].image);
    const pod = kubelet.startPod({
      name: `${name}-${born}`,
      address,
      spec,
      environment: environmentFor(address),
      directory,
      say,
      onReady: (isReady) => void ready.set(address, isReady),
    });
    pods.add(pod);
    return pod;
  };
  const runJob = async (name) => {
    const spec = podSpec('Job', name);
    const [container] = spec.containers;
    const directory = kubelet.directoryOf(root, container.image);
    const { code, lines } = await kubelet.runOnce(
      container.args,
      environmentFor('127.0.77.0')(container),
      directory,
    );
    if (code !== 0) throw new Error(`the migration ended with ${code}: ${lines.at(-1)}`);
    say(`migration: ${lines.at(-1)}`);
  };
  return {
    overrides,
    pods,
    start,
    runJob,
    portOf: (name, port) =>
      podSpec('Deployment', name).containers[0].ports.find((one) => one.name === port)
        .containerPort,
  };
}

/** The default strategy of the manifests: one more, then one less, so that never fewer are ready. */
async function roll(cluster, name, running, ready, outcomes) {
  for (const old of [...running]) {
    const next = cluster.start(name, ready);
    await next.untilReady();
    running.push(next);
    const { outcome, tookMs } = await old.remove();
    running.splice(running.indexOf(old), 1);
    cluster.pods.delete(old);
    outcomes.push({ name: old.name, outcome, tookMs, restarts: old.state.restarts });
    say(`${old.name} → ${next.name}: ended with ${outcome} after ${(tookMs / 1000).toFixed(1)} s`);
  }
}

const LOST = `SELECT id, status, error_code FROM heartbeat_run WHERE status IN ('queued', 'running')`;
const ENDS = `SELECT status, error_code, attempt, count(*)::int AS count FROM heartbeat_run GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

/** Each claim raises the epoch. */
const HANDED_OVER =
  'SELECT count(*)::int AS count FROM heartbeat_run WHERE epoch > 1 AND attempt = 1';

async function untilSettled(database) {
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await sleep(500)) {
    const open = await database.query(LOST);
    if (open.length === 0) return [];
  }
  return database.query(LOST);
}

async function prepare(client, companyName) {
  const company = await client.ask('POST', '/companies', { name: companyName });
  const agents = [];
  for (const [at, seconds] of AGENTS.entries()) {
    const words = { name: `Agent ${at}`, role: 'engineer', adapterType: 'process' };
    const adapterConfig = { command: 'node', args: [AGENT, `${seconds}`], timeoutSec: 300 };
    agents.push(
      await client.ask('POST', `/companies/${company.id}/agents`, { ...words, adapterConfig }),
    );
  }
  return { company, agents };
}

async function untilToken(pods) {
  for (;;) {
    const lines = pods.flatMap(({ state }) => state.lines);
    const token = /bootstrap token: ([\w-]+)/.exec(lines.join('\n'))?.[1];
    if (token) return token;
    await sleep(100);
  }
}

/** Called by the launcher, which builds and brings the servers. True when nothing was lost. */
export async function rehearse({ root, servers, rounds }) {
  const { manifests, kubelet, Client } = await tools(root);
  const scratch = mkdtempSync(path.join(tmpdir(), 'rehearsal-'));
  const database = await scratchDatabase(Client, servers.database);
  const key = () => randomBytes(32).toString('base64');
  const secrets = {
    'switchyard-migrations': {
      DATABASE_ADMIN_URL: database.urls.admin,
      DATABASE_OWNER_URL: database.urls.owner,
    },
    'switchyard-orchestration': {
      DATABASE_URL: database.urls.app,
      REDIS_URL: servers.redis,
      RUN_TOKEN_SECRET: key(),
      SESSION_SECRET: key(),
      SECRETS_MASTER_KEY: key(),
    },
  };
  const cluster = openCluster({ root, manifests, kubelet, secrets, scratch });
  const open = [];
  try {
    const ready = { api: endpoints(), worker: endpoints() };
    const port = cluster.portOf('switchyard-api', 'http');
    const inside = await insideCluster(ready.api, cluster.portOf('switchyard-api', 'agents'));
    const outside = await ingress(ready.api, port);
    open.push(inside, outside);
    cluster.overrides.AGENT_API_URL = `http://127.0.0.1:${inside.port}`;
    const two = (name, kind) => [
      cluster.start(name, ready[kind]),
      cluster.start(name, ready[kind]),
    ];
    const running = {
      api: two('switchyard-api', 'api'),
      worker: two('switchyard-worker', 'worker'),
    };
    // Together with the pods, whose init containers wait for it.
    await cluster.runJob('switchyard-migrate-orchestration');
    await Promise.all([...running.api, ...running.worker].map((pod) => pod.untilReady()));
    say('two API and two worker pods are ready');
    await sleep(1_500);
    const client = openClient(outside.port);
    open.push(client);
    await client.signIn(await untilToken(running.api));
    const { company, agents } = await prepare(client, 'Acme');
    const busy = keepBusy(client, company.id, PLACES);
    const waking = keepWaking(client, company.id, agents);
    await sleep(5_000);
    const outcomes = [];
    for (let round = 1; round <= rounds; round += 1) {
      say(`round ${round} of ${rounds}: replacing the API pods`);
      await roll(cluster, 'switchyard-api', running.api, ready.api, outcomes);
      say(`round ${round} of ${rounds}: replacing the worker pods`);
      await roll(cluster, 'switchyard-worker', running.worker, ready.worker, outcomes);
    }
    say('both at once');
    await Promise.all([
      roll(cluster, 'switchyard-api', running.api, ready.api, outcomes),
      roll(cluster, 'switchyard-worker', running.worker, ready.worker, outcomes),
    ]);
    await busy.stop();
    await waking.stop();
    const lost = await untilSettled(database);
    const ends = await database.query(ENDS);
    const isGood = await report({ client, waking, outcomes, lost, ends, database });
    say(isGood ? 'nothing was lost' : 'NOT GOOD');
    return isGood;
  } finally {
    for (const pod of cluster.pods) {
      pod.state.deleting = true;
      pod.kill();
    }
    for (const each of open) each.close();
    await sleep(300);
    await database.drop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function report({ client, waking, outcomes, lost, ends, database }) {
  const { requests, retried, failed, slowestMs } = client.count;
  const ids = new Set((await database.query('SELECT id FROM heartbeat_run')).map(({ id }) => id));
  const unknown = [...waking.runs].filter((id) => !ids.has(id));
  const unwanted = ends.filter(({ status }) => status !== 'succeeded');
  const killed = outcomes.filter(({ outcome, restarts }) => outcome !== 0 || restarts > 0);
  say(
    `requests: ${requests}, repeated once: ${retried}, failed after that: ${failed.length}, slowest ${slowestMs} ms`,
  );
  say(
    `runs accepted: ${waking.runs.size}; without a row: ${unknown.length}, without an end: ${lost.length}`,
  );
  for (const { status, error_code, attempt, count } of ends) {
    say(`  ${status}${error_code ? ` (${error_code})` : ''} in attempt ${attempt}: ${count}`);
  }
  const [{ count: again }] = await database.query(HANDED_OVER);
  say(`handed over to another worker, and ended there: ${again}`);
  const slowest = Math.max(...outcomes.map(({ tookMs }) => tookMs));
  say(
    `pods replaced: ${outcomes.length}, longest stop ${(slowest / 1000).toFixed(1)} s, not ended by SIGTERM: ${killed.length}`,
  );
  for (const text of failed.slice(0, 10)) say(`  failed: ${text}`);
  for (const one of [...killed, ...unwanted, ...lost]) say(`  ${JSON.stringify(one)}`);
  return failed.length + unknown.length + lost.length + killed.length + unwanted.length === 0;
}
