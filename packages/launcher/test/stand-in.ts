import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '@switchyard/testing';

const project = path.resolve(__dirname, '../../..');

const SERVICE = `
module.exports = (name, variable, ready) => {
  const turn = (process.env.BROKEN ?? '').split(',').indexOf(name);
  if (turn >= 0) {
    console.error(name + ' misses something');
    return setTimeout(() => process.exit(3), turn * 300);
  }
  const answer = (request, response) => {
    if (request.url === '/env') return response.end(JSON.stringify(process.env));
    response.statusCode = request.url === ready ? 200 : 404;
    response.end(name);
    if (request.url === '/crash') setTimeout(() => process.exit(7), 20);
  };
  const server = require('node:http').createServer(answer);
  server.listen(Number(process.env[variable]), process.env.HOST, () => process.send('ready'));
  process.on('SIGTERM', () => process.exit(0));
};
`;

const MIGRATE = `
module.exports = async ({ migrateAsOwner, prepareGiven, readRoles }, { Client }) => {
  const roles = readRoles(process.env);
  if (process.argv[3] === '--roles-only') return prepareGiven(roles);
  await migrateAsOwner(roles, __dirname + '/migrations');
  const client = new Client((roles.owner ?? roles.app).url);
  await client.connect();
  const { rows } = await client.query('insert into start default values returning id');
  console.log(process.argv[2] + ' row ' + rows[0].id);
  await client.end();
};
`;

const SAVE = `
module.exports = async (command, { Client }) => {
  const names = [];
  const roles = [];
  for (const url of [process.env.DATABASE_URL, process.env.METRICS_DATABASE_URL]) {
    const client = new Client(url);
    await client.connect();
    names.push((await client.query('select current_database() as name')).rows[0].name);
    roles.push(client.user);
    await client.end();
  }
  const { DATABASE_URL, DATA_DIR, SECRETS_MASTER_KEY } = process.env;
  const facts = { command, folder: process.argv[2], options: process.argv.slice(3), names, roles, DATABASE_URL, DATA_DIR, SECRETS_MASTER_KEY };
  console.log('facts ' + JSON.stringify(facts));
};
`;

const PORTS = [
  'API_PORT',
  'MARKET_METRICS_PORT',
  'WORKER_PORT',
  'API_PROMETHEUS_PORT',
  'AGENT_PORT',
  'RUNNER_PORT',
];

const portsOfThisProcess = () =>
  PORTS.map((name, index) => `${name}=${10_000 + (process.pid % 2_000) * 10 + index}\n`).join('');

const TOOL = '#!/usr/bin/env node\n';

export function makeStandIn(): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'launcher-'));
  chmodSync(root, 0o755);
  const write = (name: string, text: string, mode = 0o644) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  };
  for (const part of [
    'bootstrap/run.mjs',
    'bootstrap/lib',
    'launcher/dist',
    'launcher/package.json',
  ]) {
    const [from, to] = [project, root].map((place) => path.join(place, 'packages', part));
    cpSync(from as string, to as string, { recursive: true });
  }
  write('.env', portsOfThisProcess());
  write('package.json', '{ "packageManager": "pnpm@0.0.0" }');
  write('packages/db/package.json', '{}');
  for (const name of ['launcher', 'db']) {
    const modules = `packages/${name}/node_modules`;
    symlinkSync(path.join(project, modules), path.join(root, modules));
  }
  mkdirSync(path.join(root, '.cache'));
  for (const name of ['redis', 'chromium']) {
    const fetched = path.join(project, '.cache', name);
    if (existsSync(fetched)) symlinkSync(fetched, path.join(root, '.cache', name));
  }
  for (const name of ['tsc', 'prisma', 'npx']) write(`node_modules/.bin/${name}`, TOOL, 0o755);
  write('prisma/orchestration/schema/base.prisma', 'model A {}');
  write('prisma/metrics/schema/base.prisma', 'model B {}');
  write('migrate.js', MIGRATE);
  write('migrations/0001_create_start/migration.sql', 'create table start (id serial)');
  const [runner, pg] = ['dist/roles/migrate-as-owner.js', 'node_modules/pg'].map((name) =>
    JSON.stringify(path.join(project, 'packages/db', name)),
  );
  write(
    'packages/db/dist/bin/migrate.js',
    `void require('${root}/migrate.js')(require(${runner}), require(${pg}));`,
  );
  write('packages/client/bin/generate-all.mjs', '');
  for (const name of ['generate-schema-version', 'generate-client']) {
    write(`packages/db/bin/${name}.mjs`, '');
  }
  write('packages/console/bin/build.mjs', '');
  write('service.js', SERVICE);
  const service = (file: string, args: string) =>
    write(`${file}.js`, `require('${root}/service.js')(${args});`);
  service('services/orchestration/dist/bin/api', `'api', 'API_PORT', '/readyz'`);
  service('services/orchestration/dist/bin/worker', `'worker', 'WORKER_PORT', '/readyz'`);
  service('packages/runner/dist/bin/runner', `'runner', 'RUNNER_PORT', '/readyz'`);
  service('services/metrics/dist/bin/metrics', `'metrics', 'MARKET_METRICS_PORT', '/health'`);
  write('save.js', SAVE);
  for (const command of ['backup', 'restore']) {
    const call = `require('${root}/save.js')('${command}', require(${pg}))`;
    write(`services/orchestration/dist/bin/${command}.js`, `void ${call};`);
  }
  return root;
}

export const removeStandIn = (root: string) => rmSync(root, { recursive: true, force: true });

export interface Launched {
  child: ChildProcess;
  text: () => string;
  exit: Promise<number | null>;
  says: (pattern: RegExp) => Promise<RegExpMatchArray>;
}

export function launch(
  root: string,
  env: Record<string, string> = {},
  [command = 'start', ...args]: string[] = [],
): Launched {
  const inherited = { ...process.env };
  for (const name of Object.keys(inherited)) {
    if (/(_PORT|_URL|DATA_DIR|AUTH_MODE|NO_COLOR|^HOST)$/.test(name)) delete inherited[name];
  }
  const bin = path.join(root, 'node_modules/.bin');
  const child = spawn(process.execPath, ['packages/bootstrap/run.mjs', command, ...args], {
    cwd: root,
    env: { ...inherited, PATH: `${bin}:${process.env.PATH}`, ...env },
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = (pattern: RegExp) =>
    until(`${pattern} in the output`, () => {
      const found = text.match(pattern);
      if (!found && child.exitCode !== null) throw new Error(`${pattern} not said:\n${text}`);
      return found;
    });
  return { child, text: () => text, exit, says };
}

function commandLines(): [number, string][] {
  if (!existsSync('/proc/self')) {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' });
    return text.split('\n').map((line) => [Number.parseInt(line, 10), line]);
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => {
    try {
      return [Number(pid), readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      return [Number(pid), ''];
    }
  });
}

export function alive(root: string): string[] {
  const record = path.join(root, '.data/run/redis.json');
  const redis = existsSync(record) && JSON.parse(readFileSync(record, 'utf8')).pid;
  return commandLines()
    .filter(([pid, line]) => line.includes(root) || (line && pid === redis))
    .map(([, line]) => line);
}
