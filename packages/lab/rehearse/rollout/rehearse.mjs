// Simulates the kubelet, a Service and an ingress on one machine: starts twelve processes with the commands, environment, probes and times
// of the manifests (4 API, 4 worker and 4 runner pods; with run pods, 5 API, 6 worker and 1 runner pods). Puts load on them, starts eight long runs,
// and replaces all processes. Fails when a request fails twice, a run is lost, a long run starts again, or a process must be killed.
// Usage: npm run rehearse -- rollout [rounds [seconds of a long run]]; with run pods npm run rehearse -- rollout-pods
// TEST_DATABASE_URL and TEST_REDIS_URL replace the servers that it starts.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, ingress, insideCluster } from './balance.mjs';
import { openCluster, scratchDatabase } from './cluster.mjs';
import { keepBusy, keepWaking, openClient } from './load.mjs';
import { report, untilSettled } from './report.mjs';
import { beginLongRuns, hire } from './work.mjs';

const IN_RUNNERS = {
  overlay: 'overlays/production',
  replicas: { api: 4, worker: 4, runner: 4 },
  agents: [1, 1, 2, 3, 5, 8, 20, 60],
};
const IN_RUN_PODS = {
  overlay: 'test/overlays/run-pods',
  replicas: { api: 5, worker: 6, runner: 1 },
  agents: [5, 8, 20, 60],
};
const LONG_RUNS = 8;
const PLACES = 6;
const SETTLE_SEC = 300;

const begun = performance.now();
function say(text) {
  const at = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${at} s  ${text}\n`);
}

async function tools(root, overlay) {
  const [{ render }, kubelet] = await Promise.all([
    import('../../../../k8s/render.cjs'),
    import('./kubelet.mjs'),
  ]);
  const { Client } = createRequire(path.join(root, 'packages/db/package.json'))('pg');
  return { manifests: render(path.join(root, 'k8s', overlay)), kubelet, Client };
}

/**
 * Replaces pods with the manifests' default strategy: adds one, then removes one, so that the
 * number of ready pods never falls. Only the final check waits for stopping pods to end.
 */
async function roll(cluster, name, running, ready, outcomes) {
  const ends = [...running].map(() => undefined);
  for (const [at, old] of [...running].entries()) {
    const next = cluster.start(name, ready);
    await next.untilReady();
    running.push(next);
    running.splice(running.indexOf(old), 1);
    say(`${old.name} → ${next.name}`);
    ends[at] = old.remove().then(({ outcome, tookMs }) => {
      cluster.pods.delete(old);
      outcomes.push({ name: old.name, outcome, tookMs, restarts: old.state.restarts });
      say(`${old.name} ended with ${outcome} after ${(tookMs / 1000).toFixed(1)} s`);
    });
  }
  return { ended: Promise.all(ends) };
}

async function untilToken(pods) {
  for (;;) {
    const lines = pods.flatMap(({ state }) => state.lines);
    const token = /bootstrap token: ([\w-]+)/.exec(lines.join('\n'))?.[1];
    if (token) return token;
    await sleep(100);
  }
}

function makeSecrets(database, servers) {
  const key = () => randomBytes(32).toString('base64');
  return {
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
    'switchyard-runner': { RUNNER_TOKEN: randomBytes(32).toString('hex') },
  };
}

async function openPorts(cluster, ready, workerPort) {
  const agents = await insideCluster(ready.api, cluster.portOf('switchyard-api', 'agents'));
  const probes = cluster.portOf('switchyard-worker', 'probes');
  const workers = await insideCluster(ready.worker, probes, workerPort);
  const outside = await ingress(ready.api, cluster.portOf('switchyard-api', 'http'));
  cluster.overrides.AGENT_API_URL = `http://127.0.0.1:${agents.port}`;
  cluster.overrides.RUNNER_URL = `http://127.0.0.1:${workers.port}`;
  const close = () => {
    for (const one of [agents, workers, outside]) one.close();
  };
  return { outside, close };
}

/**
 * Returns true if nothing was lost. With `runPods` each run has a pod in a cluster that the caller
 * simulates: `variables` connect workers to the cluster, its pods reach the workers at `port`, and
 * `untilGone` resolves when all pods have ended.
 */
export async function rehearse({ root, servers, rounds, longSec, runPods }) {
  const { overlay, replicas, agents: seconds } = runPods ? IN_RUN_PODS : IN_RUNNERS;
  const { manifests, kubelet, Client } = await tools(root, overlay);
  const scratch = mkdtempSync(path.join(tmpdir(), 'rehearsal-'));
  const database = await scratchDatabase(Client, servers.database);
  const secrets = makeSecrets(database, servers);
  const cluster = openCluster({ root, manifests, kubelet, secrets, scratch, say });
  const open = [];
  try {
    const ready = { api: endpoints(), worker: endpoints(), runner: endpoints() };
    const services = await openPorts(cluster, ready, runPods?.port);
    Object.assign(cluster.overrides, runPods?.variables);
    open.push(services);
    const running = { api: [], worker: [], runner: [] };
    const migrated = cluster.runJob('migrate-orchestration');
    // Starts the pods one after another: twelve processes that start together fail their startup
    // probes on few cores. The first pod starts together with the migration, for which its init
    // container waits.
    for (const [kind, pods] of Object.entries(running)) {
      while (pods.length < replicas[kind]) {
        const pod = cluster.start(`switchyard-${kind}`, ready[kind]);
        pods.push(pod);
        await pod.untilReady();
      }
    }
    await migrated;
    say(
      `${replicas.api} API, ${replicas.worker} worker and ${replicas.runner} runner pods are ready`,
    );
    await sleep(1_500);
    const client = openClient(services.outside.port);
    open.push(client);
    await client.signIn(await untilToken(running.api));
    const company = await client.ask('POST', '/companies', { name: 'Acme' });
    const agents = await hire(client, company, 'Agent', seconds);
    const long = await hire(client, company, 'Patient', Array(LONG_RUNS).fill(longSec));
    const longRuns = await beginLongRuns(client, company, long);
    say(`${longRuns.length} runs of ${longSec} s are at work`);
    const busy = keepBusy(client, company.id, PLACES);
    const waking = keepWaking(client, company.id, agents);
    await sleep(5_000);
    const outcomes = [];
    const ends = [];
    const replace = async (kind) => {
      const name = `switchyard-${kind}`;
      ends.push((await roll(cluster, name, running[kind], ready[kind], outcomes)).ended);
    };
    for (let round = 1; round <= rounds; round += 1) {
      for (const kind of ['api', 'worker', 'runner']) {
        say(`round ${round} of ${rounds}: replacing the pods of ${kind}`);
        await replace(kind);
      }
    }
    say('API and workers at once');
    await Promise.all([replace('api'), replace('worker')]);
    await busy.stop();
    await waking.stop();
    const lost = await untilSettled(database, longSec + SETTLE_SEC);
    await Promise.all(ends);
    await runPods?.untilGone();
    const isGood = await report({ say, client, waking, longRuns, outcomes, lost, database });
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
