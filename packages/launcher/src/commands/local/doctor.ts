import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isSame } from '@switchyard/bootstrap/identity';
import { readJson } from '@switchyard/bootstrap/lock';
import { paint, say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { type Driver, openSandbox } from '@switchyard/sandbox';
import { choosePorts } from '../../ports.js';
import { chooseBinaries } from '../../postgres/binaries.js';
import { dataMajor, readPlace } from '../../postgres/place.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import { PACKAGE_FILE, releaseVersion } from '../../program-file.js';
import { findOnPath, versionOf } from '../../programs/find.js';
import { findInstalledRedis } from '../../programs/redis.js';
import { wantedPorts } from '../../services/definitions.js';
import { loadEnvFile, readSettings, type Settings } from '../../settings.js';

const FREE_GIB = 2;

type Check = (settings: Settings) => Promise<string>;

export async function doctor(_: Lifecycle, root: string): Promise<number> {
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  say(`Switchyard ${releaseVersion}, Node ${process.versions.node}, ${os.platform()}-${os.arch()}`);
  let isHealthy = true;
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      say(`  ${paint('green', '+')} ${name.padEnd(10)} ${await check(settings)}`);
    } catch (error) {
      isHealthy = false;
      say(`  ${paint('red', 'x')} ${name.padEnd(10)} ${(error as Error).message}`);
      if (error instanceof UserError) say(`    ${''.padEnd(10)} ${error.next}`);
    }
  }
  return isHealthy ? 0 : 1;
}

const CHECKS: Record<string, Check> = {
  async PostgreSQL({ env, dataDir }) {
    if (env.DATABASE_URL) return 'DATABASE_URL is set';
    const { version, bin } = await chooseBinaries(env, dataMajor(readPlace(dataDir).folder));
    return `${version} in ${bin}`;
  },
  async Redis({ env }) {
    if (env.REDIS_URL) return 'REDIS_URL is set';
    const found = await findInstalledRedis(env);
    if (found) return `${found.label}, ${found.command}`;
    if (findOnPath(['apt-get'], env).length > 0) return 'the start downloads it with apt-get';
    const command = os.platform() === 'darwin' ? 'brew install redis' : 'redis-server';
    throw new UserError(
      'Neither Redis (6.2 or newer) nor Valkey is installed.',
      `Install it: ${command}`,
    );
  },
  async sandbox({ root, env, authMode }) {
    const wanted = (env.SANDBOX || 'auto') as 'auto' | Driver;
    const folders = [path.join(root, '.cache/bubblewrap'), env.PATH];
    const sandbox = await openSandbox({
      wanted,
      mayBeOff: authMode === 'local_trusted',
      path: folders.filter(Boolean).join(path.delimiter),
    });
    return `${sandbox.driver} (${sandbox.why})`;
  },
  async git() {
    const version = await versionOf('git');
    if (version) return version;
    throw new UserError(
      'git is not installed.',
      'Install it: apt-get install git, or brew install git',
    );
  },
  async ports({ host, env, lockFile }) {
    if (isSame(readJson(lockFile))) return 'in use by the running Switchyard';
    const { ports, moved } = await choosePorts(wantedPorts(host), env);
    const others = moved.map(
      ([name, usual, port]) => `${usual} is in use: ${name} would be ${port}`,
    );
    return others.join('; ') || `free: ${Object.values(ports).join(', ')}`;
  },
  async disk({ dataDir }) {
    const { bavail, bsize } = await statfs(existing(dataDir));
    const free = (bavail * bsize) / 2 ** 30;
    const text = `${free.toFixed(1)} GiB free for ${dataDir}`;
    if (free >= FREE_GIB) return text;
    throw new UserError(
      `${text}; ${FREE_GIB} GiB are needed.`,
      'Free some space, or set DATA_DIR.',
    );
  },
  async clock() {
    const released = statSync(PACKAGE_FILE).mtime;
    if (Date.now() > released.getTime()) return new Date().toISOString();
    const next = 'Correct the clock: sudo timedatectl set-ntp true';
    throw new UserError(
      `The clock of this machine is wrong: it shows a time before this release (${released.toISOString()}).`,
      next,
    );
  },
};

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(path.dirname(folder));
}
