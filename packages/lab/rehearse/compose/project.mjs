import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const ROOT = path.resolve(import.meta.dirname, '../../../..');
export const ENGINE = process.env.CONTAINER_ENGINE ?? 'docker';
const [command, ...words] = (process.env.COMPOSE ?? 'docker compose').split(' ');
const PROJECT = 'switchyard-rehearsal';

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}

const [api, apiPrometheus, metrics] = await Promise.all([freePort(), freePort(), freePort()]);
export const at = `http://127.0.0.1:${api}`;
export const metricsAt = `http://127.0.0.1:${metrics}`;
const PORTS = {
  API_PORT: api,
  API_PROMETHEUS_PORT: apiPrometheus,
  MARKET_METRICS_PORT: metrics,
};
const env = { ...process.env, ...PORTS, PUBLIC_URL: '' };

function chosen(cwd, files) {
  const all = [path.join(cwd, 'docker-compose.yml'), ...files].flatMap((file) => ['-f', file]);
  return ['--project-directory', cwd, '-p', PROJECT, ...all];
}

export function compose(
  args,
  { cwd = ROOT, input = '', fails = false, extra = {}, files = [] } = {},
) {
  const place = chosen(cwd, files);
  const options = { cwd, input, env: { ...env, ...extra }, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(command, [...words, ...place, ...args], options);
  const text = `${stdout}${stderr}`;
  assert.equal(status !== 0, fails, `${args.join(' ')}: ${text.slice(-3000)}`);
  return text;
}

export function composing(args, { cwd = ROOT, extra = {}, files = [] } = {}) {
  const place = chosen(cwd, files);
  const child = spawn(command, [...words, ...place, ...args], { cwd, env: { ...env, ...extra } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) =>
      status === 0 ? resolve(text) : reject(new Error(`${args.join(' ')}: ${text.slice(-3000)}`)),
    );
  });
}

export const inside = (service, program) =>
  compose(['exec', '-T', service, 'node', '-'], { input: program });

export const engine = (...args) => spawnSync(ENGINE, args, { encoding: 'utf8' });

/** Podman uses systemd for health checks, so this function runs them if systemd is missing. */
export function startHealthChecks() {
  if (!/podman/i.test(engine('version').stdout) || engine('--version').stdout === '') return;
  const script = `while sleep 1; do for one in $("$0" ps -q --filter label=com.docker.compose.project=${PROJECT}); do
    "$0" healthcheck run "$one"; done; done`;
  const child = spawn('sh', ['-c', script, ENGINE], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
}

export async function until(what, ask, seconds = 120) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(500)) {
    const found = await Promise.resolve(ask()).catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`timed out waiting for ${what}`);
}

export async function call(method, file, body) {
  const response = await fetch(`${at}${file}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${file}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

export const answers = (url) => until(url, async () => (await fetch(url)).ok);

export async function up(extra, { args = [], ...place } = {}) {
  await composing(['up', '-d', ...args], { extra, ...place });
  await answers(`${at}/readyz`);
}

export const say = (text) => process.stdout.write(`${text}\n`);
