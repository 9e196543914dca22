// `npm run rehearse -- compose [<commit of the previous version>]`: runs the images and docker-compose.yml in a separate project, and
// prints the times of docs/containers.md. Without a commit it uses the newest tag, or the previous commit.
//   CONTAINER_ENGINE, COMPOSE   engine and compose command instead of docker and `docker compose`
//   IMAGES=built   uses switchyard-…:rehearsal and, for the previous version, switchyard-…:before, without building them
//   BASE_IMAGE, POSTGRES_IMAGE, REDIS_IMAGE   images of k8s/images/make-base-image.sh and make-server-images.sh without a registry

import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeAgent, startRun } from './agents.mjs';
import { checkContents } from './contents.mjs';
import { useOwnServers } from './own-servers.mjs';
import {
  answers,
  call,
  compose,
  composing,
  metricsAt,
  ROOT,
  say,
  startHealthChecks,
  until,
  up,
} from './project.mjs';
import { checkWalls, rolesHold } from './walls.mjs';

const NOW = { SWITCHYARD_VERSION: 'rehearsal' };
const BEFORE = { SWITCHYARD_VERSION: 'before', DEMO: 'off' };
const QUIET = { ...NOW, DEMO: 'off' };
const times = [];

async function step(name, work) {
  const begun = performance.now();
  say(name);
  const done = await work();
  const seconds = Math.round((performance.now() - begun) / 1000);
  times.push([name, seconds]);
  say(`  ${seconds} s`);
  return done;
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

function build(folder, tag) {
  if (process.env.IMAGES === 'built') return;
  const script = path.join(ROOT, 'k8s/images/build-images.sh');
  const { status } = spawnSync(script, [tag], { cwd: folder, stdio: 'inherit' });
  assert.equal(status, 0, 'the images were not built');
}

async function untilDemoEnded() {
  const said = await until('the demonstration', () => {
    const text = compose(['logs', '--no-color', 'demo'], { extra: NOW });
    return /activity .*heartbeat\.succeeded/.test(text) && text;
  });
  assert.match(said, /DMC-1 is done/);
  const [company] = await call('GET', '/api/companies');
  const agents = await call('GET', `/api/companies/${company.id}/agents`);
  return { companyId: company.id, agentId: agents[0].id };
}

const PRINT_KEY = 'console.log("key=" + process.env.SECRETS_MASTER_KEY)';

async function restore(folder) {
  const volume = ['-v', `${folder}:/backups`];
  const kept = compose(['run', '--rm', 'operator', '-e', PRINT_KEY], { extra: NOW });
  const extra = { ...QUIET, SECRETS_MASTER_KEY: kept.match(/key=(\S+)/)[1] };
  compose(['down', '-v'], { extra });
  await composing(['run', '--rm', 'migrate', '--roles-only'], { extra });
  await composing(['run', '--rm', 'migrate-metrics', '--roles-only'], { extra });
  await composing(['run', '--rm', ...volume, 'operator', 'dist/bin/restore.js', '/backups/one'], {
    extra,
  });
  await up(extra);
  return extra;
}

async function play(folder, before) {
  const [commit = before.commit] = process.argv.slice(2);
  await step('Build the images', () => build(ROOT, NOW.SWITCHYARD_VERSION));
  await step('Check the contents of the images', () => checkContents(NOW.SWITCHYARD_VERSION));
  const demo = await step('First `up`, until the demonstration has ended', async () => {
    await up(NOW);
    return untilDemoEnded();
  });
  const own = await makeAgent('Acme');
  await step('`up` with three workers and two runners', async () => {
    const args = ['--scale', 'worker=3', '--scale', 'runner=2'];
    await up(NOW, { args });
    await answers(`${metricsAt}/readyz`);
    await startRun(own);
  });
  await step('Check the isolation of the services', checkWalls);
  await step('`down`, then `up`', async () => {
    compose(['down'], { extra: NOW });
    await up(NOW);
    const companies = await call('GET', '/api/companies');
    assert.equal(companies.length, 2, 'the demonstration runs only once');
    await startRun(own);
    await startRun(demo);
  });
  await step('Back up', () =>
    composing(
      ['run', '--rm', '-v', `${folder}:/backups`, 'operator', 'dist/bin/backup.js', '/backups/one'],
      { extra: NOW },
    ),
  );
  const restored = await step('Restore into an empty project', () => restore(folder));
  await startRun(own);
  rolesHold(['api', 'worker']);
  compose(['down', '-v'], { extra: restored });
  await step('Start with a PostgreSQL and a Redis of the operator, over TLS', () =>
    useOwnServers(folder, QUIET),
  );

  git('worktree', 'add', '--detach', before.folder, commit);
  await step(`Build the previous version (${commit.slice(0, 10)})`, () =>
    build(before.folder, BEFORE.SWITCHYARD_VERSION),
  );
  await up(BEFORE, { cwd: before.folder });
  const known = await makeAgent('Bolt');
  await startRun(known);
  await step('Upgrade from the previous version', async () => {
    await up(QUIET, { args: ['--remove-orphans'] });
    await startRun(known);
  });
}

function commitBefore() {
  const tag = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~1'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return tag.status === 0 ? tag.stdout.trim() : git('rev-parse', 'HEAD~1');
}

const folder = mkdtempSync(path.join(tmpdir(), 'rehearse-compose-'));
const backups = mkdtempSync(path.join(folder, 'backups-'));
for (const one of [folder, backups]) chmodSync(one, 0o777);
const before = { folder: path.join(folder, 'before'), commit: commitBefore() };
try {
  startHealthChecks();
  compose(['down', '-v', '--remove-orphans'], { extra: NOW });
  await play(backups, before);
  say(`\n| step | seconds |\n| --- | --: |`);
  for (const [name, seconds] of times) say(`| ${name} | ${seconds} |`);
} catch (error) {
  say(compose(['logs', '--tail=15'], { extra: NOW }).slice(-6000));
  throw error;
} finally {
  compose(['down', '-v', '--remove-orphans'], { extra: NOW });
  spawnSync('git', ['worktree', 'remove', '--force', before.folder], { cwd: ROOT });
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
