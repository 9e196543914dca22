import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { administer, databaseUrl } from '@switchyard/testing';
import { Client } from 'pg';
import { inNode } from './in-node';
import { alive, type Launched, launch, makeStandIn, removeStandIn } from './stand-in';

let root: string;
let started: Launched;

const dataFile = (name: string) => path.join(root, '.data', name);
const read = (name: string) => JSON.parse(readFileSync(dataFile(name), 'utf8'));
const modeOf = (name: string) => statSync(dataFile(name)).mode & 0o777;

async function begin(env: Record<string, string> = {}): Promise<Launched> {
  started = launch(root, env);
  await started.says(/Ctrl-C stops everything/);
  return started;
}

async function kill(): Promise<void> {
  started.child.kill('SIGKILL');
  await started.exit;
}

async function environmentOf(service: 'board' | 'worker' | 'runner' | 'metrics') {
  const { urls } = read('run/launcher.json');
  return (await (await fetch(`${urls[service]}/env`)).json()) as Record<string, string>;
}

function askRedis(port: number, ...commands: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(`${commands.join('\r\n')}\r\n`),
    );
    let text = '';
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
    socket.on('data', (chunk) => {
      text += chunk;
      const lines = text.split('\r\n').filter((line) => /^[+\-:*]/.test(line));
      if (lines.length < commands.length) return;
      socket.destroy();
      resolve(lines);
    });
  });
}

async function refusal(url: string, sql = 'select 1'): Promise<string> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
    return 'allowed';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const elsewhere = (url: string, database: string) =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;

function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}

beforeEach(() => {
  root = makeStandIn();
});

afterEach(async () => {
  if (started.child.exitCode === null && started.child.signalCode === null) {
    started.child.kill('SIGINT');
    await started.exit;
  }
  expect(alive(root)).toEqual([]);
  removeStandIn(root);
});

test('npm start creates one database role per service, which can access only that service’s rows', async () => {
  await begin({
    EXCHANGE_API_SECRET: 'of the exchange',
    METRICS_TOKEN: 'of metrics',
    BOOTSTRAP_TOKEN: 'of the api',
    DATABASE_OWN_CLUSTER: 'false',
  });
  const kept = read('postgres.json');
  const envs = {
    api: await environmentOf('board'),
    worker: await environmentOf('worker'),
    runner: await environmentOf('runner'),
    metrics: await environmentOf('metrics'),
  };
  const role = (env: Record<string, string>) => new URL(env.DATABASE_URL as string).username;
  expect([envs.api, envs.worker, envs.metrics].map(role)).toEqual([
    'switchyard_app',
    'switchyard_app',
    'switchyard_metrics',
  ]);
  for (const env of Object.values(envs)) {
    const text = JSON.stringify(env);
    expect(text).not.toContain(kept.password);
    expect(text).not.toContain(kept.roles.owner);
    expect(
      Object.keys(env).filter((name) => /OWNER_URL|ADMIN_URL|METRICS_DATABASE/.test(name)),
    ).toEqual([]);
  }
  const secrets = [
    'RUN_TOKEN_SECRET',
    'SESSION_SECRET',
    'SECRETS_MASTER_KEY',
    'EXCHANGE_API_SECRET',
    'REDIS_URL',
    'METRICS_TOKEN',
    'BOOTSTRAP_TOKEN',
    'DATABASE_URL',
    'RUNNER_TOKEN',
  ];
  const given = (env: Record<string, string>) => secrets.filter((name) => env[name]);
  expect(Object.values(envs).map(given)).toEqual([
    [
      ...['RUN_TOKEN_SECRET', 'SESSION_SECRET', 'SECRETS_MASTER_KEY', 'REDIS_URL'],
      ...['BOOTSTRAP_TOKEN', 'DATABASE_URL'],
    ],
    ['RUN_TOKEN_SECRET', 'SECRETS_MASTER_KEY', 'REDIS_URL', 'DATABASE_URL', 'RUNNER_TOKEN'],
    ['RUNNER_TOKEN'],
    ['EXCHANGE_API_SECRET', 'METRICS_TOKEN', 'DATABASE_URL'],
  ]);

  const url = envs.api.DATABASE_URL as string;
  expect(await refusal(url, 'insert into start default values')).toBe('allowed');
  expect(await refusal(url, 'create table stolen (id int)')).toMatch(/^permission denied/);
  expect(await refusal(url, "copy start from program 'id'")).toMatch(/^permission denied/);
  for (const database of ['switchyard_metrics', 'postgres', 'template1']) {
    expect(await refusal(elsewhere(url, database))).toMatch(/^permission denied for database/);
  }
  const other = elsewhere(envs.metrics.DATABASE_URL as string, 'switchyard_orchestration');
  expect(await refusal(other)).toMatch(/^permission denied for database/);
  expect(modeOf('postgres.json')).toBe(0o600);
  for (const password of [kept.password, ...Object.values<string>(kept.roles)]) {
    expect(commandLines()).not.toContain(password);
  }
});

test('npm start protects Redis with a password that no process list shows', async () => {
  await begin();
  const { REDIS_URL } = await environmentOf('worker');
  const { port, password } = new URL(REDIS_URL as string);
  const commands = ['PING', 'KEYS *', 'CONFIG GET dir', 'FLUSHALL', 'DBSIZE', 'AUTH wrong'];
  const answers = await askRedis(Number(port), ...commands);
  for (const answer of answers.slice(0, -1)) expect(answer).toMatch(/^-NOAUTH/);
  expect(answers.at(-1)).toMatch(/^-WRONGPASS/);
  const closed = [
    'CONFIG SET dir /tmp',
    'DEBUG SLEEP 0',
    'MODULE LIST',
    'REPLICAOF a 1',
    'ACL WHOAMI',
  ];
  const [entered, pong, ...refused] = await askRedis(
    Number(port),
    `AUTH ${password}`,
    'PING',
    ...closed,
  );
  expect([entered, pong]).toEqual(['+OK', '+PONG']);
  for (const answer of refused) expect(answer).toMatch(/^-(NOPERM|ERR DEBUG)/);

  expect(commandLines()).not.toContain(password);
  expect([modeOf('redis.json'), modeOf('redis/redis.conf'), modeOf('redis')]).toEqual([
    0o600, 0o600, 0o700,
  ]);
  const hash = createHash('sha256').update(password).digest('hex');
  expect(readFileSync(dataFile('redis/redis.conf'), 'utf8')).toContain(hash);

  const before = read('run/redis.json').pid;
  await kill();
  await begin();
  expect(started.text()).toMatch(/on 127.0.0.1:\d+ \(reused, it was still running\)/);
  expect(read('run/redis.json').pid).toBe(before);
  expect((await environmentOf('worker')).REDIS_URL).toBe(REDIS_URL);
});

test('npm start creates new passwords if they are missing in DATA_DIR, and keeps the data', async () => {
  const first = await begin();
  const [, row] = (await first.says(/orchestration row (\d+)/)) as RegExpMatchArray;
  const { password, roles, ...place } = read('postgres.json');
  const old = read('redis.json').password;
  await askRedis(read('run/redis.json').port, `AUTH ${old}`, 'SET kept yes');
  await kill();
  writeFileSync(dataFile('postgres.json'), JSON.stringify({ ...place, password }));
  rmSync(dataFile('redis.json'));

  const second = await begin();
  const [, next] = (await second.says(/orchestration row (\d+)/)) as RegExpMatchArray;
  expect(Number(next)).toBe(Number(row) + 1);
  const kept = read('postgres.json');
  expect(kept).toMatchObject({ ...place, password });
  expect(kept.roles.orchestration).not.toBe(roles.orchestration);
  const { DATABASE_URL } = await environmentOf('board');
  expect(await refusal(DATABASE_URL as string, 'select * from start')).toBe('allowed');
  const now = read('run/redis.json').port;
  const renewed = read('redis.json').password;
  expect(await askRedis(now, `AUTH ${old}`)).toEqual([expect.stringMatching(/^-WRONGPASS/)]);
  expect(await askRedis(now, `AUTH ${renewed}`, 'EXISTS kept')).toEqual(['+OK', ':1']);
});

test('npm start passes the owner and admin URLs of an external server only to the migrations', async () => {
  const mark = `test_${randomBytes(5).toString('hex')}`;
  const names = ['owner', 'app', 'metrics'].map((name) => `${mark}_${name}`);
  const [owner, app, metrics] = names as [string, string, string];
  const as = (role: string, database: string) =>
    Object.assign(new URL(databaseUrl(database)), { username: role, password: 'p%40ss' }).href;
  try {
    await begin({
      DATABASE_URL: as(app, app),
      METRICS_DATABASE_URL: as(metrics, metrics),
      DATABASE_OWNER_URL: as(owner, app),
      DATABASE_ADMIN_URL: databaseUrl('postgres'),
    });
    for (const [service, role] of [
      ['board', app],
      ['worker', app],
      ['metrics', metrics],
    ] as const) {
      const env = await environmentOf(service);
      expect(env.DATABASE_URL).toBe(as(role, role));
      expect(JSON.stringify(env)).not.toContain(owner);
      expect(Object.keys(env)).not.toContain('DATABASE_ADMIN_URL');
    }
    expect(await refusal(as(app, app), 'insert into start default values')).toBe('allowed');
    expect(await refusal(as(app, metrics))).toMatch(/^permission denied for database/);
    expect(existsSync(dataFile('postgres.json'))).toBe(false);
    const saved = launch(
      root,
      {
        DATABASE_URL: as(app, app),
        METRICS_DATABASE_URL: as(metrics, metrics),
        DATABASE_OWNER_URL: as(owner, app),
        INIT_CWD: root,
      },
      ['backup', 'folder'],
    );
    expect(await saved.exit).toBe(0);
    expect(saved.text()).toMatch(`"roles":["${owner}","${owner}"]`);
  } finally {
    started.child.kill('SIGINT');
    await started.exit;
    for (const name of names) await administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    for (const name of names) await administer(`DROP ROLE IF EXISTS "${name}"`);
  }
});

test('seekRedis throws an error with three solutions if Redis is not installed', () => {
  const said = inNode(
    { 'launcher/dist/programs/redis.js': 'seekRedis' },
    `process.env.PATH = '/nowhere';
     const options = { signal: new AbortController().signal, variable: 'TEST_REDIS_URL' };
     return Promise.all([{ signal: options.signal }, options].map((each) =>
       seekRedis(${JSON.stringify(path.join(root, 'none'))}, {}, each).catch((error) => [error.message, error.next])));`,
  ) as [string, string][];
  const [[cause, next], [, ofTests]] = said as [[string, string], [string, string]];
  expect(cause).toMatch(/^Neither Redis \(6\.2 or newer\) nor Valkey is installed/);
  expect(next).toMatch(
    /Install it: .*\n.*Docker.*\n.*docker run .*--requirepass .*\n.*REDIS_URL to an existing server/,
  );
  expect(ofTests).toMatch(/TEST_REDIS_URL=redis:/);
});

test('npm start warns about a start as root before it reports success', async () => {
  await begin({ NO_COLOR: '1' });
  const text = started.text();
  expect(existsSync(dataFile('postgres.json'))).toBe(true);
  if (process.getuid?.() !== 0) {
    expect(text).not.toMatch(/AS ROOT/);
    return;
  }
  expect(text).toMatch(/THE SERVICES RUN AS ROOT, and so does every agent/);
  expect(text.indexOf('AS ROOT')).toBeLessThan(text.indexOf('Switchyard is running'));
  expect(text).toMatch(`chown -R NAME ${root}`);
  expect(text).not.toContain('\u001b[');
});

test('rootWarning names every folder that must belong to an account other than root', () => {
  const file = (name: string) => JSON.stringify(path.join(root, name));
  const [nobody, inside, beside] = inNode(
    {
      'launcher/dist/root-warning.js': 'rootWarning',
      'launcher/dist/settings.js': 'makeDataDir',
      'bootstrap/lib/lock.mjs': 'writeJson',
    },
    `const at = (dataDir) => ({ root: ${JSON.stringify(root)}, dataDir });
     makeDataDir({ ...at(${file('.data')}), runDir: ${file('.data/run')}, logDir: ${file('.data/logs')} });
     const lines = [rootWarning(at(${file('.data')}), 1000), rootWarning(at(${file('.data')}), 0)];
     writeJson(${file('.data/postgres.json')}, { place: '/var/lib/switchyard/a', password: 'x' });
     return [...lines, rootWarning(at(${file('.data')}), 0)];`,
  ) as [string[], string[], string[]];
  expect(nobody).toEqual([]);
  expect(inside).toContain(`  chown -R NAME ${root}`);
  expect(beside).toContain(`  chown -R NAME ${root} /var/lib/switchyard/a`);
});
