// Starts docker-compose.yml for real, in a project of its own, and tries from inside what must not work. Needs a
// container engine and the images (`docker compose build`). Usage:
//   node k8s/images/check-compose.mjs [folder of the release before, whose volumes are then taken over]
// COMPOSE names the command where it is not `docker compose`. The images of the release before have the tag `before`:
// SWITCHYARD_VERSION=before docker compose build, in its folder.

import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = path.resolve(import.meta.dirname, '../..');
const [before] = process.argv.slice(2);
const [command, ...words] = (process.env.COMPOSE ?? 'docker compose').split(' ');
const say = (text) => process.stdout.write(`${text}\n`);

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}

const ports = {};
for (const name of ['ORCHESTRATION_PORT', 'API_METRICS_PORT', 'WORKER_PORT', 'METRICS_PORT']) {
  ports[name] = await freePort();
}
const at = `http://127.0.0.1:${ports.ORCHESTRATION_PORT}`;
const env = {
  COMPOSE_HTTP_TIMEOUT: '600',
  ...process.env,
  ...ports,
  PUBLIC_URL: '',
  COMPOSE_PROJECT_NAME: 'switchyard-check',
};

function compose(args, { cwd = ROOT, input = '', fails = false, extra = {} } = {}) {
  const options = { cwd, input, env: { ...env, ...extra }, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(command, [...words, ...args], options);
  const text = `${stdout}${stderr}`;
  assert.equal(status !== 0, fails, `${args.join(' ')}: ${text.slice(-3000)}`);
  return text;
}

/** A program inside of a service's container, with the packages and the secrets of that service. */
const inside = (service, program) =>
  compose(['exec', '-T', service, 'node', '-'], { input: program });

async function until(what, ask, seconds = 120) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(500)) {
    const found = await Promise.resolve(ask()).catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`waited for ${what} in vain`);
}

async function call(method, file, body) {
  const response = await fetch(`${at}${file}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${file}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

async function up(cwd, extra) {
  compose(['up', '-d'], { cwd, extra });
  for (const port of Object.values(ports).filter((one) => one !== ports.API_METRICS_PORT)) {
    await until(`port ${port}`, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  }
}

/** The README's story; the secret shows that the master key is the same from first to last. */
async function runAnAgent(name) {
  const company = await call('POST', '/api/companies', { name });
  const agent = await call('POST', `/api/companies/${company.id}/agents`, {
    name: 'Ada',
    role: 'engineer',
    adapterType: 'process',
    adapterConfig: { command: 'node', args: ['/demo/agent.mjs'] },
  });
  await call('POST', `/api/companies/${company.id}/secrets`, { name: 'TOKEN', value: 'canary' });
  return startRun(company.id, agent.id);
}

async function startRun(companyId, agentId) {
  const issue = { title: 'Say hello', status: 'todo' };
  const { id: issueId } = await call('POST', `/api/companies/${companyId}/issues`, issue);
  const { id } = await call('POST', `/api/agents/${agentId}/heartbeat/invoke`, { issueId });
  const run = await until('the run', async () => {
    const found = await call('GET', `/api/heartbeat-runs/${id}`);
    return found.finishedAt && found;
  });
  assert.equal(run.status, 'succeeded', JSON.stringify(run));
  return { companyId, agentId };
}

const HOLDS = `
const { readFileSync, readdirSync, existsSync } = require('node:fs');
const names = readFileSync('/proc/1/environ', 'utf8').split('\\0').map((line) => line.split('=')[0]);
console.log(JSON.stringify({ names, keys: readdirSync('/keys'), other: existsSync('/handed-out/api/api.env'),
  text: readdirSync('/keys').map((name) => readFileSync('/keys/' + name, 'utf8')).join('') }));
`;

function holdsItsOwn() {
  const own = Object.fromEntries(
    ['api', 'worker', 'metrics'].map((name) => [name, JSON.parse(inside(name, HOLDS))]),
  );
  for (const [name, { names, keys, other, text }] of Object.entries(own)) {
    assert.deepEqual(keys, [`${name}.env`]);
    assert.ok(!other, 'the keys of another');
    const secret = names.filter((one) =>
      /SECRET|PASSWORD|_KEY$|^DATABASE_URL|^REDIS_URL/.test(one),
    );
    assert.deepEqual(secret, [], `in the environment of process 1 of ${name}`);
    assert.doesNotMatch(text, /OWNER|ADMIN|switchyard:/, name);
  }
  assert.match(own.api.text, /^SESSION_SECRET=/m);
  assert.doesNotMatch(own.worker.text, /SESSION_SECRET/);
  assert.doesNotMatch(own.metrics.text, /SECRET|REDIS/);
  say('api, worker and metrics hold their own keys, in files alone; the worker no SESSION_SECRET');
}

const ASK_REDIS = `
const { parseEnv } = require('node:util');
const { connect } = require('node:net');
const { password } = new URL(parseEnv(require('node:fs').readFileSync('/keys/worker.env', 'utf8')).REDIS_URL);
const ask = (text) => new Promise((resolve) => {
  const socket = connect(6379, 'redis', () => socket.write(text));
  socket.once('data', (answer) => { resolve(String(answer).trim()); socket.destroy(); });
});
(async () => console.log(JSON.stringify([
  await ask('PING\\r\\n'), await ask('KEYS *\\r\\n'), await ask('AUTH ' + password + '\\r\\nPING\\r\\n'),
])))();
`;

function redisAsks() {
  const [ping, keys, known] = JSON.parse(inside('worker', ASK_REDIS));
  assert.match(ping, /^-NOAUTH/);
  assert.match(keys, /^-NOAUTH/);
  assert.match(known, /^\+OK/);
  const cli = compose(['exec', '-T', 'redis', 'redis-cli', 'ping']);
  assert.match(cli, /NOAUTH/);
  say('redis answers nobody who does not know the password');
}

const ASK_POSTGRES = (reader) => `
const { parseEnv } = require('node:util');
const { readFileSync, realpathSync } = require('node:fs');
const db = realpathSync('/app/node_modules/@switchyard/db') + '/package.json';
const { Client } = require('node:module').createRequire(db)('pg');
const url = parseEnv(readFileSync('/keys/${reader}.env', 'utf8')).DATABASE_URL;
const ask = async (text, name) => {
  const there = new URL(url);
  if (name) there.pathname = '/' + name;
  const client = new Client({ connectionString: there.href });
  try { await client.connect(); const { rows } = await client.query(text); return rows; }
  catch (error) { return error.code; }
  finally { await client.end().catch(() => undefined); }
};
(async () => console.log(JSON.stringify([
  await ask('CREATE TABLE mine (id int)'), await ask("COPY _prisma_migrations FROM PROGRAM 'id'"), await ask('CREATE ROLE other'),
  await ask('SELECT 1', 'postgres'),
  await ask('SELECT 1', '${reader === 'metrics' ? 'switchyard' : 'switchyard_metrics'}'),
  await ask('SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user'),
])))();
`;

function rolesHold() {
  for (const reader of ['api', 'worker', 'metrics']) {
    const answers = JSON.parse(inside(reader, ASK_POSTGRES(reader)));
    const refused = answers.slice(0, -1);
    assert.deepEqual(refused, Array(refused.length).fill('42501'), reader);
    assert.deepEqual(answers.at(-1), [
      { rolsuper: false, rolcreaterole: false, rolcreatedb: false },
    ]);
  }
  say('api, worker and metrics may make no table, run no program and read no other database');
}

const REACH = `
const { connect } = require('node:net');
const reach = (host, port) => new Promise((resolve) => {
  const socket = connect(port, host, () => { socket.destroy(); resolve(true); });
  socket.once('error', () => resolve(false));
  socket.setTimeout(3000, () => { socket.destroy(); resolve(false); });
});
(async () => console.log(JSON.stringify(await Promise.all([
  ['metrics', 3200], ['api', 3102], ['redis', 6379], ['postgres', 5432]].map((one) => reach(...one))))))();
`;

function wallsStand() {
  assert.deepEqual(JSON.parse(inside('worker', REACH)), [false, true, true, true]);
  assert.deepEqual(JSON.parse(inside('metrics', REACH)), [true, false, false, true]);
  say('agents do not reach the metrics service, and it reaches neither the API nor Redis');
}

/** Into fresh volumes, with nothing of the old ones but the master key. */
async function restores(folder, { companyId, agentId }) {
  const volume = ['-v', `${folder}:/backups`];
  compose(['run', '--rm', ...volume, 'operator', 'dist/bin/backup.js', '/backups/one']);
  const kept = compose(['run', '--rm', 'operator', '-e', PRINT_KEY]).match(/key=(\S+)/)[1];
  compose(['down', '-v']);
  const extra = { SECRETS_MASTER_KEY: kept };
  compose(['run', '--rm', 'migrate', '--roles-only'], { extra });
  compose(['run', '--rm', 'migrate-metrics', '--roles-only'], { extra });
  compose(['run', '--rm', ...volume, 'operator', 'dist/bin/restore.js', '/backups/one'], { extra });
  await up(ROOT, extra);
  await startRun(companyId, agentId);
  rolesHold();
  say('a backup was restored into fresh volumes, and its agent ran');
}
const PRINT_KEY = 'console.log("key=" + process.env.SECRETS_MASTER_KEY)';

const BEFORE = { SWITCHYARD_VERSION: 'before' };
const folder = mkdtempSync(path.join(tmpdir(), 'check-compose-'));
// Written by the container's account.
chmodSync(folder, 0o777);
try {
  compose(['down', '-v']);
  let known;
  if (before) {
    await up(path.resolve(before), BEFORE);
    known = await runAnAgent('Acme');
    compose(['down'], { cwd: path.resolve(before), extra: BEFORE });
    say('the release before left its volumes');
  }
  await up(ROOT);
  if (known) await startRun(known.companyId, known.agentId);
  known = await runAnAgent('Bolt');
  say('the agent of the README ran in the worker');
  holdsItsOwn();
  redisAsks();
  rolesHold();
  wallsStand();
  await restores(folder, known);
  say('all is well');
} catch (error) {
  say(compose(['logs', '--tail=15']).slice(-6000));
  throw error;
} finally {
  compose(['down', '-v']);
  rmSync(folder, { recursive: true, force: true });
}
