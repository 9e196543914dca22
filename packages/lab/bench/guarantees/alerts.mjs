import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, post } from '../shared/build-company.mjs';
import { environmentOf, forgetKeys, startProcess } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const EXPECTED = ['SwitchyardQueueStalled', 'SwitchyardRunsAbandoned', 'SwitchyardWorkersMissing'];
const DEADLINE_MS = 240_000;

const SLEEPER = ['-e', 'setTimeout(() => {}, 600000)'];

function writeRules(folder) {
  const rules = join(ROOT, 'k8s/components/prometheus/rules.yaml');
  const text = execFileSync('sed', ['1,/^spec:/d; s/^  //', rules]);
  writeFileSync(join(folder, 'alert-rules.yml'), text);
}

function testRules() {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-rules-'));
  writeRules(folder);
  const tests = join(folder, 'alert-rules.test.yml');
  copyFileSync(join(ROOT, 'services/orchestration/assets/alert-rules.test.yml'), tests);
  process.stdout.write(execFileSync('promtool', ['test', 'rules', tests], { encoding: 'utf8' }));
  rmSync(folder, { recursive: true });
}

async function startPrometheus(targets) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-prometheus-'));
  const port = await freePort();
  writeRules(folder);
  const jobs = Object.entries(targets).map(
    ([name, address]) => `  - { job_name: ${name}, static_configs: [{ targets: ['${address}'] }] }`,
  );
  const lines = [
    'global: { scrape_interval: 2s, evaluation_interval: 2s }',
    'rule_files: [alert-rules.yml]',
    'scrape_configs:',
    ...jobs,
  ];
  writeFileSync(join(folder, 'prometheus.yml'), `${lines.join('\n')}\n`);
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'inherit' },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  return {
    firing: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => null);
      if (!answer?.ok) return null;
      const { data } = await answer.json();
      const firing = data.alerts.filter(({ state }) => state === 'firing');
      return firing.map(({ labels }) => labels.alertname).sort();
    },
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function watch(prometheus, what, isDone) {
  const started = Date.now();
  let shown = '';
  while (Date.now() - started < DEADLINE_MS) {
    const firing = await prometheus.firing();
    const seconds = ((Date.now() - started) / 1000).toFixed(0).padStart(4);
    const text = firing?.join(', ') || 'nothing';
    if (firing && text !== shown) console.log(`${seconds} s  ${what}: ${text}`);
    shown = firing ? text : shown;
    if (firing && isDone(firing)) return true;
    await delay(500);
  }
  console.log(`${what}: not within ${DEADLINE_MS / 1000} s`);
  return false;
}

async function play(api, startWorker, prometheus) {
  const company = await post(`${api}/companies`, { name: 'Bench' });
  const agent = (name, args) =>
    post(`${api}/companies/${company.id}/agents`, {
      name,
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args },
    });
  const worker = await startWorker();
  const busy = await agent('Busy', SLEEPER);
  const run = await post(`${api}/agents/${busy.id}/heartbeat/invoke`, {});
  const statusOf = async ({ id }) =>
    (await fetch(`${api}/heartbeat-runs/${id}`).then((r) => r.json())).status;
  while ((await statusOf(run)) !== 'running') await delay(100);
  if (!(await watch(prometheus, 'all is well', (firing) => firing.length === 0))) return false;

  await worker.kill();
  const waiting = await agent('Waiting', ['--version']);
  const late = await post(`${api}/agents/${waiting.id}/heartbeat/invoke`, {});
  const fired = await watch(prometheus, 'the worker is killed', (firing) =>
    EXPECTED.every((name) => firing.includes(name)),
  );
  const next = await startWorker();
  const quiet = await watch(prometheus, 'another worker', (firing) => firing.length === 0);
  const ended = await statusOf(late);
  console.log(`the run that waited: ${ended}; the run of the dead worker: ${await statusOf(run)}`);
  await post(`${api}/heartbeat-runs/${run.id}/cancel`, {});
  await next.stop();
  return fired && quiet && ended === 'succeeded';
}

export async function bench(serverUrl) {
  testRules();
  const prefix = `bench${process.pid}`;
  const database = await scratchDatabase(serverUrl, 'alerts');
  const [port, apiPage, workerPage] = [await freePort(), await freePort(), await freePort()];
  const environment = {
    ...environmentOf(database.url, prefix),
    API_PORT: String(port),
    API_PROMETHEUS_PORT: String(apiPage),
    WORKER_PORT: String(workerPage),
    SHUTDOWN_GRACE_SEC: '4',
  };
  const api = await startProcess('api', environment);
  const prometheus = await startPrometheus({
    api: `127.0.0.1:${apiPage}`,
    worker: `127.0.0.1:${workerPage}`,
  });
  try {
    const startWorker = () => startProcess('worker', environment);
    return await play(`http://127.0.0.1:${port}/api`, startWorker, prometheus);
  } finally {
    await prometheus.close();
    await api.stop();
    await database.drop();
    await forgetKeys(prefix);
  }
}
