// Starts every pod of the manifests with podman, each with its own security context, and replaces
// the kubelet: volumes, probes and preStop. Then signs in, runs an agent in the runner, makes a
// backup, and ends all pods with SIGTERM. Does not enforce network policies or schedule pods. Needs
// root, podman 4.3 or later and the images. `--stand-ins` builds replacements of the PostgreSQL and
// Redis images.
// Usage: npm run rehearse -- kubernetes [--tag <tag of the images>] [--stand-ins <base image>]

import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { podSpecOf, render } from '../../../../k8s/render.cjs';
import { ingress } from '../rollout/balance.mjs';
import { openClient } from '../rollout/load.mjs';
import { openPod } from './pod.mjs';
import { giveUp, makeSecret, podFor, podman } from './podman.mjs';

const OVERLAY = 'overlays/single-node';
const STAND_INS = 'localhost/switchyard-stand-ins';
const { values } = parseArgs({
  options: { tag: { type: 'string' }, 'stand-ins': { type: 'string' } },
});
const begun = performance.now();
const say = (text) => {
  const at = ((performance.now() - begun) / 1000).toFixed(0).padStart(4);
  process.stdout.write(`${at} s  ${text}\n`);
};

const prefix = `rehearsal${process.pid}`;
const scratch = mkdtempSync(path.join(tmpdir(), 'rehearse-kubernetes-'));
const manifests = render(path.resolve(import.meta.dirname, '../../../../k8s', OVERLAY));

function makeSecrets() {
  const hex = () => randomBytes(24).toString('hex');
  const base64 = () => randomBytes(32).toString('base64');
  const [admin, owner, app, metrics, redis] = [hex(), hex(), hex(), hex(), hex()];
  const url = (user, password, name) => `postgresql://${user}:${password}@postgresql:5432/${name}`;
  return {
    'switchyard-postgresql': { POSTGRES_PASSWORD: admin },
    'switchyard-redis': { 'redis.conf': `requirepass ${redis}` },
    'switchyard-migrations': {
      DATABASE_ADMIN_URL: url('switchyard', admin, 'postgres'),
      DATABASE_OWNER_URL: url('switchyard_owner', owner, 'switchyard'),
      METRICS_OWNER_URL: url('switchyard_owner', owner, 'switchyard_metrics'),
    },
    'switchyard-orchestration': {
      DATABASE_URL: url('switchyard_app', app, 'switchyard'),
      REDIS_URL: `redis://:${redis}@redis:6379`,
      RUN_TOKEN_SECRET: base64(),
      SESSION_SECRET: base64(),
      SECRETS_MASTER_KEY: base64(),
    },
    'switchyard-runner': { RUNNER_TOKEN: hex() },
    'switchyard-metrics': {
      DATABASE_URL: url('switchyard_metrics', metrics, 'switchyard_metrics'),
    },
  };
}

async function makeNetwork() {
  const name = `${prefix}-net`;
  await podman('network', 'create', name);
  const [{ subnets }] = JSON.parse(await podman('network', 'inspect', name));
  const [first] = subnets[0].subnet.split('/');
  return { name, address: (at) => first.replace(/\d+$/, `${at}`) };
}

function images(image) {
  if (/^(postgres|redis):/.test(image)) return values['stand-ins'] ? STAND_INS : image;
  return values.tag ? `localhost/${image.replace(/:.*/, '')}:${values.tag}` : image;
}

const AGENT = `
const { SERVICE_API_URL: url, SERVICE_API_KEY: key, SERVICE_AGENT_ID: agentId, SERVICE_ISSUE_ID: id } = process.env;
const call = async (method, path, body) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const response = await fetch(url + '/api' + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(path + ': ' + response.status + ' ' + (await response.text()));
};
(async () => {
  await call('POST', '/issues/' + id + '/checkout', { agentId, expectedStatuses: ['todo'] });
  await call('POST', '/issues/' + id + '/comments', { body: 'Hello from a pod.' });
  for (const status of ['in_review', 'done']) await call('PATCH', '/issues/' + id, { status });
})();`;

async function until(what, ask, seconds = 300) {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(500)) {
    const found = await ask();
    if (found) return found;
  }
  throw new Error(`timed out waiting for ${what}`);
}

async function runsAnAgent(api) {
  const outside = await ingress({ next: () => api.address }, 3100);
  const client = openClient(outside.port);
  try {
    const token = /bootstrap token: ([\w-]+)/.exec(await api.log())?.[1];
    await client.signIn(token);
    say('signed in with the token from the log');
    const company = await client.ask('POST', '/companies', { name: 'Acme' });
    const agent = await client.ask('POST', `/companies/${company.id}/agents`, {
      name: 'Ada',
      role: 'engineer',
      adapterType: 'process',
      adapterConfig: { command: 'node', args: ['-e', AGENT] },
    });
    const issue = await client.ask('POST', `/companies/${company.id}/issues`, {
      title: 'Say hello',
      status: 'todo',
    });
    const begun = await client.ask('POST', `/agents/${agent.id}/heartbeat/invoke`, {
      issueId: issue.id,
    });
    const run = await until('the run', async () => {
      const found = await client.ask('GET', `/heartbeat-runs/${begun.id}`);
      return found.finishedAt && found;
    });
    const { content } = await client.ask('GET', `/heartbeat-runs/${run.id}/log`);
    assert.equal(run.status, 'succeeded', content);
    say(`an agent ran in the runner: ${run.status}`);
  } finally {
    client.close();
    outside.close();
  }
}

async function start(pod) {
  await pod.play();
  await pod.check();
}

async function rehearse(open) {
  const secrets = makeSecrets();
  for (const [name, keys] of Object.entries(secrets)) {
    await makeSecret(`${prefix}-${name}`, keys, scratch);
  }
  const network = await makeNetwork();
  const maps = manifests.filter(({ kind }) => kind === 'ConfigMap');
  for (const { data } of maps) Object.assign(data, { PROCESS_ADAPTER_COMMANDS: 'node' });
  const workloads = manifests.filter(({ spec }) => podSpecOf({ spec }));
  const addresses = Object.fromEntries(
    workloads.map(({ metadata }, at) => [metadata.name, network.address(20 + at)]),
  );
  const hosts = Object.fromEntries(
    manifests
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata }) => [metadata.name, addresses[metadata.name]]),
  );
  const pods = workloads.map(({ kind, metadata, spec }) => {
    const template = (spec.jobTemplate?.spec ?? spec).template;
    const address = addresses[metadata.name];
    const places = { prefix, scratch, secrets, images, hosts };
    const claims = spec.volumeClaimTemplates;
    const pod = podFor({ metadata, template, claims, address, ...places });
    const started = { kind, ...openPod(pod, { network: network.name, scratch, maps, say }) };
    open.push(started);
    return started;
  });
  const of = (...kinds) => pods.filter(({ kind }) => kinds.includes(kind));
  // Starts all pods at the same time, as kubectl does; init containers wait for the schema. Jobs
  // wait for PostgreSQL, because failed Jobs are not repeated here.
  const servers = of('StatefulSet').map(start);
  const jobs = of('Job').map(async (pod) => {
    await Promise.all(servers);
    await pod.play();
    await pod.untilEnded();
  });
  await Promise.all([...servers, ...jobs, ...of('Deployment').map(start)]);
  await runsAnAgent(pods.find(({ name }) => name.endsWith('switchyard-api')));
  for (const pod of of('CronJob')) {
    await pod.play();
    await pod.untilEnded();
  }
  const backups = path.join(scratch, 'claims/switchyard-backups');
  const [backup] = readdirSync(backups);
  assert.ok(readdirSync(path.join(backups, backup)).includes('manifest.json'));
  say(`a backup was made: ${backup}`);
  for (const pod of of('Deployment')) await pod.stop();
  for (const pod of of('StatefulSet')) await pod.stop();
  say(`${pods.length} pods started and ended as the manifests say`);
}

const open = [];
try {
  if (values['stand-ins']) {
    const folder = path.join(import.meta.dirname, 'stand-ins');
    const base = `BASE_IMAGE=${values['stand-ins']}`;
    await podman('build', '--isolation', 'chroot', '--tag', STAND_INS, '--build-arg', base, folder);
    say('the replacements of PostgreSQL and Redis are built');
  }
  await rehearse(open);
} catch (error) {
  say(error.stack);
  process.exitCode = 1;
} finally {
  giveUp();
  await Promise.all(open.map((pod) => pod.remove()));
  await podman('network', 'rm', '--force', `${prefix}-net`).catch(() => undefined);
  const names = (await podman('secret', 'ls', '--format', '{{.Name}}')).split('\n');
  const own = names.filter((name) => name.startsWith(`${prefix}-`));
  if (own.length > 0) await podman('secret', 'rm', ...own);
  rmSync(scratch, { recursive: true, force: true });
}
