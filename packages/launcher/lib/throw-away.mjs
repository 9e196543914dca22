import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chooseAccount, mayEnter } from './postgres/account.mjs';
import { chooseBinaries } from './postgres/binaries.mjs';
import { makeCluster } from './postgres/cluster.mjs';
import { reachableBinaries } from './postgres/place.mjs';
import * as postgres from './postgres/server.mjs';
import { problem } from './problem.mjs';
import { killTree } from './process/end.mjs';
import { ORDER } from './process/life.mjs';
import { readJson, writeJson } from './process/lock.mjs';
import { identity, isSame } from './process/table.mjs';
import * as redis from './redis/server.mjs';
import { newPassword } from './redis/settle-password.mjs';
import { notice, step } from './terminal/steps.mjs';

const PREFIX = 'switchyard-servers-';

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** Passable for the account of PostgreSQL, listable for nobody; a private TMPDIR is passed over. */
export function makeThrowAway(life) {
  const account = chooseAccount();
  for (const parent of new Set([os.tmpdir(), '/tmp', '/var/tmp'])) {
    const folder = mkdtempSync(path.join(parent, PREFIX));
    chmodSync(folder, 0o711);
    if (!mayEnter(account, folder)) {
      remove(folder);
      continue;
    }
    const owner = { pid: process.pid, started: identity(process.pid) };
    writeJson(path.join(folder, 'owner.json'), owner);
    life.onEnd(ORDER.folders, () => remove(folder));
    return folder;
  }
  throw problem(
    `PostgreSQL runs as account "${account.name}", which may enter no temporary folder.`,
    'Set TMPDIR to a folder that it may enter, or TEST_DATABASE_URL to a server.',
  );
}

/** What a killed test run could not remove itself. */
export function sweep() {
  for (const name of readdirSync(os.tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(os.tmpdir(), name);
    const owner = readJson(path.join(folder, 'owner.json'));
    if (!owner || isSame(owner)) continue;
    try {
      const left = [postgres.running(folder), readJson(path.join(folder, 'redis.json'))];
      const alive = left.filter((each) => each && (!each.started || isSame(each)));
      for (const { pid } of alive) killTree(pid);
      remove(folder);
      notice(`removed what a killed test run left: ${folder}`);
    } catch (error) {
      notice(`${folder} of a killed test run cannot be removed (${error.code ?? error.message})`);
    }
  }
}

export async function throwAwayPostgres(life, root, folder, { durable = false } = {}) {
  const { url } = await step('start a throw-away PostgreSQL', async () => {
    const account = chooseAccount();
    const binaries = reachableBinaries(chooseBinaries(root, process.env), account, folder);
    const password = randomBytes(12).toString('base64url');
    const signal = life.stop;
    const logFile = path.join(folder, 'postgres.log');
    const options = { root, binaries, account, folder, password, logFile, signal, durable };
    await makeCluster(options);
    const server = await postgres.startServer(options, (started) => {
      life.onEnd(ORDER.postgres, () => postgres.stopServer(started, life.now));
    });
    const text = `throw-away PostgreSQL ${binaries.version} on 127.0.0.1:${server.port}`;
    return { text, url: postgres.urlOf(server) };
  });
  return url;
}

export async function throwAwayRedis(life, folder, seeking) {
  const { url } = await step('start a throw-away Redis', async () => {
    const password = newPassword();
    const options = {
      program: await seeking,
      durable: false,
      password,
      folder: path.join(folder, 'redis'),
      logFile: path.join(folder, 'redis.log'),
      signal: life.stop,
    };
    const server = await redis.startServer(options, (started) => {
      life.onEnd(ORDER.redis, () => redis.stopServer(started, life.now));
      writeJson(path.join(folder, 'redis.json'), started);
    });
    const text = `throw-away ${options.program.label} on 127.0.0.1:${server.port}`;
    return { text, url: redis.urlOf(server, password) };
  });
  return url;
}
