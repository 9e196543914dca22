// Starts what build-images.sh built, as docker-compose.yml says, without a container engine: not root, root file
// system read-only, against a PostgreSQL and a Redis of this machine. Needs root, buildah and unshare.
// Usage: TEST_DATABASE_URL=… TEST_REDIS_URL=… node k8s/images/check-images.mjs

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCompose } from './compose.mjs';
import { run, unpack } from './container.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const pg = createRequire(path.join(ROOT, 'packages/db/package.json'))('pg');
const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** Ports of this machine that nobody listens on. */
async function freePorts(names) {
  const servers = names.map(() => createServer().listen(0));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return Object.fromEntries(names.map((name, at) => [name, ports[at]]));
}

const PORTS = await freePorts(['api', 'agents', 'metrics', 'worker', 'apiMetrics']);
const DATABASES = ['check_images', 'check_images_metrics'];
const ROLES = { owner: 'check_images_owner', app: 'check_images_app', metrics: 'check_images_m' };
const NOT_NEEDED =
  /^(prisma|typescript|jest|@swc\+core|@biomejs|react|@prisma\+(engines|dev|studio))/;

const say = (text) => process.stdout.write(`${text}\n`);
const scratch = mkdtempSync(path.join(tmpdir(), 'check-images-'));
chmodSync(scratch, 0o755);
const services = readCompose();
const at = (name, file) => `http://127.0.0.1:${PORTS[name]}${file}`;

async function until(what, ask, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) {
    const found = await Promise.resolve(ask()).catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`waited for ${what} in vain`);
}

async function onServer(statements) {
  const client = new pg.Client({ connectionString: TEST_DATABASE_URL });
  await client.connect();
  for (const text of statements) await client.query(text);
  await client.end();
}

const urlOf = (name, username) =>
  Object.assign(new URL(TEST_DATABASE_URL), { pathname: `/${name}`, username }).href;

const forget = () => [
  ...DATABASES.map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  ...Object.values(ROLES).map((name) => `DROP ROLE IF EXISTS ${name}`),
];

/** The folder of this machine that stands for a volume, where the service finds it. */
function bindsOf({ volumes = [] }) {
  const pairs = volumes.map((text) => {
    const [source, place] = text.split(':');
    return [
      path.resolve(source.startsWith('.') ? ROOT : path.join(scratch, 'volumes'), source),
      place,
    ];
  });
  for (const [folder] of pairs) {
    if (!folder.startsWith(scratch)) continue;
    mkdirSync(folder, { recursive: true });
    execFileSync('chown', ['10001:10001', folder]);
  }
  return Object.fromEntries(pairs);
}

/** What may be in an image: the packages that run, each in the version of the lock file, and nothing that builds. */
function checkContent(name, { root }) {
  const app = path.join(root, 'app');
  const list = (...args) =>
    execFileSync('find', [app, ...args])
      .toString()
      .trim()
      .split('\n');
  const packages = list('-path', '*/node_modules/.pnpm/*', '-prune').map((file) =>
    path.basename(file),
  );
  const lock = readFileSync(path.join(ROOT, 'pnpm-lock.yaml'), 'utf8');
  const third = packages.filter((file) => file.includes('@') && !file.startsWith('@switchyard'));
  const unlocked = third.filter((file) => {
    const [, id, version] = /^(@?[^@]+)@([^_]+)/.exec(file);
    return !lock.includes(`${id.replace('+', '/')}@${version}`);
  });
  assert.deepEqual(unlocked, [], 'packages of another version than the lock file');
  assert.deepEqual(
    packages.filter((file) => NOT_NEEDED.test(file)),
    [],
  );
  const own = list(
    '-path',
    '*/@switchyard/*',
    '-name',
    '*.ts',
    '-not',
    '-path',
    '*/.pnpm/node_modules/*',
  );
  assert.deepEqual(
    own.filter((file) => /@switchyard\/[a-z]+\/(src|test|bench)\//.test(file)),
    [],
  );
  const leftovers = ['.npmrc', '.env', '.pnpmfile.cjs', 'src', 'test', 'bench'];
  for (const file of leftovers) {
    assert.equal(execFileSync('find', [app, '-maxdepth', '1', '-name', file]).toString(), '', file);
  }
  assert.equal(
    execFileSync('find', [path.join(root, 'root'), '-name', '.npmrc', '-size', '+0']).toString(),
    '',
  );
  const size = execFileSync('du', ['-sm', app]).toString().split('\t')[0];
  say(
    `${name}: ${packages.length} packages as in the lock file, none that only builds; ${size} MB`,
  );
}

function checkConfig(name, { config }) {
  assert.match(config.User, /^\d+:\d+$/);
  assert.equal(config.Labels['org.opencontainers.image.version'], version);
  assert.equal(config.Entrypoint[0], '/usr/bin/tini');
  assert.ok(config.Healthcheck.Test.includes('node'));
  say(`${name}: user ${config.User}, labels, health check and entry point are set`);
}

const images = {};
const running = new Set();

function start(name, extra = {}, command = services[name].command) {
  const image = images[name.includes('metrics') ? 'metrics' : 'orchestration'];
  const set = Object.entries(services[name].environment ?? {}).map(([key, value]) => [
    key,
    `${value}`,
  ]);
  const container = run(image, {
    entrypoint: services[name].entrypoint,
    command,
    binds: bindsOf(services[name]),
    names: ['api'],
    env: { ...Object.fromEntries(set), ...extra },
  });
  running.add(container);
  void container.ended.then(() => running.delete(container));
  return container;
}

async function runToEnd(name, extra, command) {
  const container = start(name, extra, command);
  const code = await container.ended;
  assert.equal(code, 0, `${name}: ${container.said.text}`);
  return container.said.text.trim();
}

async function refusesToWrite() {
  const write = (file) =>
    `try{require('fs').writeFileSync('${file}','x');console.log('${file} yes')}catch(e){console.log('${file} '+e.code)}`;
  const files = ['/app/x', '/etc/x', '/tmp/x', '/data/x'];
  const text = await runToEnd('api', {}, [
    'node',
    '-e',
    `console.log(process.getuid());${files.map(write).join(';')}`,
  ]);
  assert.equal(text, '10001\n/app/x EROFS\n/etc/x EROFS\n/tmp/x yes\n/data/x yes');
  say('not root; writes to /tmp and /data, and nowhere else');
}

/** An agent's grandchild that outlives it ends up with process 1, which must reap it. */
async function reaps() {
  const orphan =
    "require('child_process').spawn('sh',['-c','sleep 0.3 &'],{detached:true});setTimeout(()=>{},3000)";
  const container = start('worker', {}, ['node', '-e', orphan]);
  await sleep(1500);
  const first = container.first();
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ');
  const states = children.map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
  const dead = states.filter((text) => /^State:\s*Z/m.test(text));
  assert.equal(dead.length, 0, 'orphans of agents are left as zombies');
  container.signal('SIGTERM');
  await container.ended;
  say('process 1 reaps what agents leave behind');
}

/** Read to its end: an answer that nobody takes holds up the stop of its server. */
async function statusOf(name, file) {
  const response = await fetch(at(name, file));
  await response.arrayBuffer();
  return response.status;
}

async function json(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

async function runsOneAgent() {
  const post = (file, body) => json('POST', at('api', `/api${file}`), body);
  const company = await post('/companies', { name: 'Acme' });
  const adapterConfig = { command: 'node', args: ['/demo/agent.mjs'] };
  const words = { name: 'Ada', role: 'engineer', adapterType: 'process', adapterConfig };
  const agent = await post(`/companies/${company.id}/agents`, words);
  const issue = await post(`/companies/${company.id}/issues`, {
    title: 'Say hello',
    status: 'todo',
  });
  const begun = await post(`/agents/${agent.id}/heartbeat/invoke`, { issueId: issue.id });
  const done = await until('the run', async () => {
    const found = await json('GET', at('api', `/api/heartbeat-runs/${begun.id}`));
    return found.finishedAt && found;
  });
  assert.equal(done.status, 'succeeded', JSON.stringify(done));
  say(`an agent ran in the worker: ${done.status}, ${done.usage.costCents} cents`);
}

async function answers() {
  const ready = { api: '/readyz', worker: '/readyz', metrics: '/readyz' };
  for (const [name, file] of Object.entries(ready)) {
    await until(`${name}${file}`, async () => (await fetch(at(name, file))).ok);
  }
  const pages = [
    ['api', '/api/health'],
    ['api', '/api/docs'],
    ['api', '/api/openapi.json'],
    ['apiMetrics', '/metrics'],
    ['worker', '/metrics'],
    ['metrics', '/health'],
    ['metrics', '/dashboard'],
    ['metrics', '/docs/swagger-ui.css'],
    ['metrics', '/metrics'],
  ];
  for (const [name, file] of pages) assert.equal(await statusOf(name, file), 200, file);
  say('api, worker and metrics are ready and answer with their pages');
  const foreign = await fetch(at('api', '/api/companies'), {
    headers: { origin: 'https://example.com' },
    method: 'POST',
  });
  assert.equal(foreign.status, 403);
}

/** The pages of authenticated mode, and its refusal of a setting that local mode needs. */
async function signsIn(place) {
  const mode = { AUTH_MODE: 'authenticated', PUBLIC_URL: 'https://board.example.com' };
  const refused = start('api', { ...place, ...mode });
  assert.equal(await refused.ended, 1);
  assert.match(refused.said.text, /TRUST_LOCAL_NETWORK: is for local trusted mode alone/);
  const container = start('api', { ...place, ...mode, TRUST_LOCAL_NETWORK: 'false' });
  await until('authenticated mode', async () => (await fetch(at('api', '/readyz'))).ok);
  const page = await (await fetch(at('api', '/sign-in'))).text();
  const files = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file);
  assert.ok(files.length > 0, page);
  for (const file of files) assert.equal(await statusOf('api', file), 200, file);
  assert.equal(await statusOf('api', '/api/companies'), 401);
  await stops('api with sign-in', container);
}

async function stops(name, container) {
  const begun = performance.now();
  container.signal('SIGTERM');
  assert.equal(await container.ended, 0, container.said.text.slice(-2000));
  say(`${name}: SIGTERM ends it with 0 after ${Math.round(performance.now() - begun)} ms`);
}

async function play() {
  const database = { DATABASE_URL: urlOf(DATABASES[0], ROLES.app) };
  const metricsDatabase = { DATABASE_URL: urlOf(DATABASES[1], ROLES.metrics) };
  // The server is not ours alone, as the one of compose is.
  const runner = {
    DATABASE_ADMIN_URL: TEST_DATABASE_URL,
    DATABASE_OWNER_URL: urlOf(DATABASES[0], ROLES.owner),
    DATABASE_OWN_CLUSTER: '',
  };
  await refusesToWrite();
  await reaps();
  await runToEnd('keys');
  const kept = path.join(scratch, 'volumes/keys/keys.env');
  const keys = readFileSync(kept, 'utf8');
  await runToEnd('keys');
  assert.equal(readFileSync(kept, 'utf8'), keys);
  say('keys: made once, kept the second time');
  say(await runToEnd('migrate', { ...database, ...runner }));
  say(await runToEnd('migrate-metrics', { ...metricsDatabase, ...runner }));
  const place = {
    ...database,
    REDIS_URL: TEST_REDIS_URL,
    REDIS_PREFIX: 'check-images',
    ORCHESTRATION_PORT: `${PORTS.api}`,
    API_METRICS_PORT: `${PORTS.apiMetrics}`,
    WORKER_PORT: `${PORTS.worker}`,
    AGENT_PORT: `${PORTS.agents}`,
    AGENT_API_URL: `http://api:${PORTS.agents}`,
  };
  const started = {
    api: start('api', place),
    worker: start('worker', place),
    metrics: start('metrics', { ...metricsDatabase, METRICS_PORT: `${PORTS.metrics}` }),
  };
  try {
    await answers();
    await runsOneAgent();
    const check = services.api.healthcheck.test.slice(1, -1);
    await runToEnd('api', {}, [...check, at('api', '/readyz')]);
    for (const [name, container] of Object.entries(started)) await stops(name, container);
    await signsIn(place);
    const [own, other] = DATABASES.map((name) => urlOf(name, ROLES.owner));
    const both = { DATABASE_URL: own, METRICS_DATABASE_URL: other };
    await runToEnd('operator', both, ['dist/bin/backup.js', '/data/backup']);
    assert.ok(existsSync(path.join(scratch, 'volumes/data/backup/manifest.json')));
    say('a backup was made');
    const late = start('api', {}, [...check, at('api', '/readyz')]);
    assert.equal(await late.ended, 1);
    say('the health check agrees, before and after');
  } catch (error) {
    for (const { said } of Object.values(started)) say(said.text.slice(-1500));
    throw error;
  }
}

try {
  for (const name of ['orchestration', 'metrics']) {
    images[name] = unpack(`localhost/switchyard-${name}:${version}`);
    checkConfig(name, images[name]);
    checkContent(name, images[name]);
  }
  await onServer(forget());
  await play();
  say('all is well');
} finally {
  for (const container of running) container.kill();
  for (const image of Object.values(images)) image.remove();
  await onServer(forget());
  rmSync(scratch, { recursive: true, force: true });
}
