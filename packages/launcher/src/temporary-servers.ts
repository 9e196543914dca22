import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identity, isSame } from '@switchyard/bootstrap/identity';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { notice } from '@switchyard/bootstrap/terminal';
import { urlOf } from './postgres/client.js';
import { startPostgres } from './postgres/start.js';
import { killTree } from './process/end.js';
import { type Lifecycle, together } from './process/lifecycle.js';
import { provideBubblewrap } from './programs/bubblewrap.js';
import { startRedis } from './redis/start.js';
import { makeDataDir, type Places, placesIn } from './settings.js';

const PREFIX = 'switchyard-servers-';

const OF_TESTS = { database: 'TEST_DATABASE_URL', redis: 'TEST_REDIS_URL', durable: false };

export async function provideServers(
  life: Lifecycle,
  root: string,
  prepare: () => Promise<void>,
  named = OF_TESTS,
) {
  const { env } = process;
  sweep();
  let places: Places | undefined;
  const where = () => {
    places ??= makeTemporaryPlaces(life, named.durable ? onDisk() : inMemoryIfRoom());
    return { root, env, ...places };
  };
  const { durable } = named;
  const startOwn = {
    database: async () => urlOf(await startPostgres(life, where(), { durable })),
    redis: async () =>
      (await startRedis(life, where(), { durable: false, variable: named.redis })).url,
  };
  const [database, redis, , sandbox] = await together(life, [
    env[named.database] || startOwn.database(),
    env[named.redis] || startOwn.redis(),
    prepare(),
    provideBubblewrap(root, env, life.stop),
  ]);
  const variables = { [named.database]: database, [named.redis]: redis, ...sandbox };
  return { database, redis, variables };
}

export function makeTemporaryPlaces(life: Lifecycle, parent = onDisk()): Places {
  const folder = mkdtempSync(path.join(parent, PREFIX));
  chmodSync(folder, 0o711);
  writeJson(path.join(folder, 'owner.json'), { pid: process.pid, started: identity(process.pid) });
  life.onEnd(() => remove(folder));
  const places = placesIn(folder);
  makeDataDir(places);
  return places;
}

/**
 * Ignores TMPDIR if root starts PostgreSQL, because PostgreSQL's account may be unable to enter
 * TMPDIR.
 */
const onDisk = () => (process.getuid?.() === 0 ? '/tmp' : os.tmpdir());

const MEMORY = '/dev/shm';
const LEAST_FREE_BYTES = 4 * 2 ** 30;

/**
 * Returns a folder in memory if it has space. Each test file creates and drops a database of about
 * 700 files. On ext4 this becomes slow, because ext4 does not reuse inodes for minutes.
 */
function inMemoryIfRoom(): string {
  if (!existsSync(MEMORY)) return onDisk();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= LEAST_FREE_BYTES ? MEMORY : onDisk();
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

const ownFolders = (parent: string) =>
  readdirSync(parent)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => path.join(parent, name));

function sweep(): void {
  for (const folder of [onDisk(), MEMORY].filter(existsSync).flatMap(ownFolders)) {
    const owner = readJson(path.join(folder, 'owner.json'));
    if (!owner || isSame(owner)) continue;
    try {
      for (const name of ['postgres', 'redis']) {
        const server = readJson(path.join(placesIn(folder).runDir, `${name}.json`));
        if (isSame(server)) killTree(server.pid);
      }
      remove(folder);
      notice(`removed the files of a killed test run: ${folder}`);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      notice(`${folder} of a killed test run cannot be removed (${code ?? message})`);
    }
  }
}
