import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { alive, type Launched, launch, makeStandIn, removeStandIn } from './stand-in';

const RUNNING = /API {2,}(http\S+)\/api/;
const METRICS = /metrics {2,}(http\S+)\/dashboard/;

let root: string;
const launched: Launched[] = [];

function begin(env: Record<string, string> = {}): Launched {
  const one = launch(root, env);
  launched.push(one);
  return one;
}

async function stop(one: Launched): Promise<number | null> {
  one.child.kill('SIGINT');
  return one.exit;
}

const read = (name: string) => JSON.parse(readFileSync(path.join(root, '.data', name), 'utf8'));
const servicePids = (): number[] =>
  ['api', 'worker', 'runner', 'metrics'].map((name) => read(`run/${name}.json`).pid);
const json = async (url: string) => (await fetch(url)).json() as Promise<Record<string, string>>;

beforeAll(() => {
  root = makeStandIn();
});

afterEach(async () => {
  for (const one of launched.splice(0)) if (one.child.exitCode === null) await stop(one);
});

afterAll(() => removeStandIn(root));

test('npm start starts all services, refuses a second start, and restarts a crashed service', async () => {
  const first = begin({ BOOTSTRAP_TOKEN: 'for the API alone' });
  const [, board] = await first.says(RUNNING);
  const [, metrics] = await first.says(METRICS);

  const env = await json(`${board}/env`);
  expect(env).toMatchObject({ PUBLIC_URL: board, AUTH_MODE: 'local_trusted', HOST: '127.0.0.1' });
  expect(env.AGENT_PORT).not.toBe(env.API_PORT);
  expect(env.AGENT_API_URL).toBe(`http://127.0.0.1:${env.AGENT_PORT}`);
  expect(env.DATABASE_URL).toMatch(/\/switchyard_orchestration$/);
  expect(env.DATA_DIR).toBe(path.join(root, '.data'));
  expect(env.RUN_TOKEN_SECRET).toBe(read('secrets.json').RUN_TOKEN_SECRET);
  expect((await json(`${metrics}/env`)).DATABASE_URL).toMatch(/\/switchyard_metrics$/);
  expect(env.SESSION_SECRET).toBe(read('secrets.json').SESSION_SECRET);
  expect(env.BOOTSTRAP_TOKEN).toBe('for the API alone');
  for (const other of [`http://127.0.0.1:${env.WORKER_PORT}`, metrics]) {
    const names = Object.keys(await json(`${other}/env`));
    expect(names).not.toContain('SESSION_SECRET');
    expect(names).not.toContain('BOOTSTRAP_TOKEN');
  }

  const second = begin();
  expect(await second.exit).toBe(1);
  expect(second.text()).toMatch(`(process ${first.child.pid}): board ${board}`);

  await fetch(`${board}/crash`);
  await first.says(/api ended with code 7; restarting in 1 s/);
  expect(await stop(first)).toBe(0);
  expect(alive(root)).toEqual([]);
});

test('npm start after kill -9 reuses the servers and the data, and restarts the services', async () => {
  const first = begin();
  await first.says(RUNNING);
  const [, row] = await first.says(/orchestration row (\d+)/);
  const left = servicePids();
  first.child.kill('SIGKILL');
  await first.exit;
  expect(alive(root).join('\n')).toMatch(/worker/);

  const second = begin();
  await second.says(RUNNING);
  expect(second.text()).toMatch(/PostgreSQL .*reused/);
  expect(second.text()).toMatch(/stopping processes of an earlier start: api/);
  expect((await second.says(/orchestration row (\d+)/))[1]).toBe(String(Number(row) + 1));
  const now = servicePids();
  for (const pid of left) expect(now).not.toContain(pid);
  expect(await stop(second)).toBe(0);
  expect(alive(root)).toEqual([]);
});

test('npm start stops if a service ends before it is ready, and prints the service’s last lines', async () => {
  const one = begin({ BROKEN: 'worker' });
  expect(await one.exit).toBe(1);
  expect(one.text()).toMatch(/\| worker misses something/);
  expect(one.text()).toMatch(/Cause: worker ended with code 3 before it was ready/);
  expect(alive(root)).toEqual([]);
});

test('npm start prints the last lines of every service that ends before it is ready', async () => {
  const one = begin({ BROKEN: 'worker,api' });
  expect(await one.exit).toBe(1);
  const [, cause] = one.text().split('Cause:') as [string, string];
  expect(cause).toMatch(
    /^ (worker|api) ended with code 3, (worker|api) ended with code 3 before they were/,
  );
  for (const name of ['worker', 'api']) expect(one.text()).toMatch(`| ${name} misses something`);
  expect(alive(root)).toEqual([]);
});

test('npm start refuses authenticated mode without its settings, and prints commands that set them', async () => {
  const given = {
    AUTH_MODE: 'authenticated',
    API_PORT: '',
    DATA_DIR: path.join(root, 'elsewhere'),
    RUN_TOKEN_SECRET: 'r'.repeat(32),
    SESSION_SECRET: '',
    SECRETS_MASTER_KEY: '',
  };
  const one = begin(given);
  expect(await one.exit).toBe(1);
  expect(one.text().match(/AUTH_MODE=authenticated requires .*/g)).toEqual([
    'AUTH_MODE=authenticated requires PUBLIC_URL, SESSION_SECRET, SECRETS_MASTER_KEY.',
  ]);
  expect(one.text()).toContain('.env.example');
  const commands = one.text().match(/printf .* >> \.env/g) ?? [];
  expect(commands).toHaveLength(3);
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-env-'));
  execFileSync('sh', ['-ec', commands.join('\n')], { cwd: folder });
  const made = parseEnv(readFileSync(path.join(folder, '.env'), 'utf8')) as Record<string, string>;
  rmSync(folder, { recursive: true });
  expect(Object.keys(made).toSorted()).toEqual(
    ['API_PORT', 'PUBLIC_URL', 'SECRETS_MASTER_KEY', 'SESSION_SECRET'].toSorted(),
  );
  expect(made.PUBLIC_URL).toBe(`http://127.0.0.1:${made.API_PORT}`);
  expect(Buffer.from(made.SECRETS_MASTER_KEY as string, 'base64')).toHaveLength(32);
  expect(made.SESSION_SECRET?.length).toBeGreaterThanOrEqual(32);
});

test('npm start prints the encryption key of local mode as the key for authenticated mode', async () => {
  const dataDir = path.join(root, 'after-local');
  mkdirSync(dataDir, { recursive: true });
  const kept = Buffer.alloc(32, 7).toString('base64');
  writeFileSync(path.join(dataDir, 'secrets.json'), JSON.stringify({ SECRETS_MASTER_KEY: kept }));
  const one = begin({ AUTH_MODE: 'authenticated', DATA_DIR: dataDir, SECRETS_MASTER_KEY: '' });
  expect(await one.exit).toBe(1);
  const [command] = one.text().match(/node -p '[^']*'/) ?? [];
  expect(execFileSync('sh', ['-ec', command as string], { encoding: 'utf8' }).trim()).toBe(kept);
});

test('npm start reports a master key that differs from the key that local mode used', async () => {
  const dataDir = path.join(root, 'other-key');
  mkdirSync(dataDir, { recursive: true });
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  writeFileSync(path.join(dataDir, 'secrets.json'), JSON.stringify({ SECRETS_MASTER_KEY: key(7) }));
  const given = { DATA_DIR: dataDir, DATABASE_URL: 'ends the start' };
  const said = async (env: Record<string, string>) => {
    const one = begin({ ...given, ...env });
    await one.exit;
    return one.text().includes('SECRETS_MASTER_KEY differs from the key in');
  };
  expect(await said({ SECRETS_MASTER_KEY: key(8) })).toBe(true);
  expect(await said({ SECRETS_MASTER_KEY: key(8), SECRETS_MASTER_KEY_OLD: key(7) })).toBe(false);
  expect(await said({ SECRETS_MASTER_KEY: key(7) })).toBe(false);
});

test('npm start starts nothing if a port set by a variable is occupied', async () => {
  const other = net.createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as net.AddressInfo;
  const one = begin({ MARKET_METRICS_PORT: String(port) });
  expect(await one.exit).toBe(1);
  expect(one.text()).toMatch(`Port ${port} of MARKET_METRICS_PORT is used`);
  await new Promise((resolve) => other.close(resolve));
});

test('npm start does not mistake another program on the port of a service for that service', async () => {
  const other = http.createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as net.AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  const one = begin({ API_PORT: String(port), BROKEN: 'none,api' });
  await one.says(/code compiled|Redis/);
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  await one.says(/Cause: api ended with code 3 before it was ready/);
  expect(await one.exit).toBe(1);
  await new Promise((resolve) => other.close(resolve));
});

test('npm start exits with 0 and leaves no process if it is interrupted during the start', async () => {
  const one = begin();
  await one.says(/code compiled|Redis/);
  expect(await stop(one)).toBe(0);
  expect(alive(root)).toEqual([]);
});
