import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { redisUrl } from './processes.mjs';

const { connectQueues } = createRequire(import.meta.url)('@switchyard/queue');

const TICK_MS = 10;
const CORES = availableParallelism();

/**
 * Observes the machine's load and the benchmark's share of it. Servers on other machines count as
 * 0. On systems other than Linux all values are 0.
 */
export async function openMachine(pool) {
  const postgres = await postmasterOf(pool);
  const redis = await redisPid();
  return {
    read: (pids = []) => {
      const table = processTable();
      return {
        at: performance.now(),
        busy: busyMs(),
        own: [process.pid, postgres, redis].reduce((sum, pid) => sum + treeMs(table, pid), 0),
        database: treeMs(table, postgres),
        redis: treeMs(table, redis),
        service: pids.reduce((sum, pid) => sum + treeMs(table, pid), 0),
      };
    },
  };
}

export function between(before, after) {
  const ms = after.at - before.at;
  const own = after.own - before.own;
  return {
    ms,
    service: after.service - before.service,
    database: after.database - before.database,
    redis: after.redis - before.redis,
    foreign: Math.max(0, (after.busy - before.busy - own) / (ms * CORES)),
  };
}

async function postmasterOf(pool) {
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
  const session = processTable().get(rows[0].pid);
  return session && /postgres/.test(session.name) ? session.parent : undefined;
}

async function redisPid() {
  const queues = connectQueues(redisUrl(), () => undefined);
  try {
    const pid = Number(/process_id:(\d+)/.exec(await queues.consumer.info('server'))?.[1]);
    return /redis|valkey/.test(processTable().get(pid)?.name ?? '') ? pid : undefined;
  } finally {
    await queues.close();
  }
}

function processTable() {
  const table = new Map();
  for (const name of readProc('/proc', readdirSync) ?? []) {
    const stat = /^\d+$/.test(name) && readProc(`/proc/${name}/stat`, readText);
    if (!stat) continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ms = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * TICK_MS;
    const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    table.set(Number(name), { name: program, parent: Number(fields[1]), ms });
  }
  return table;
}

function treeMs(table, root) {
  let sum = table.get(root)?.ms ?? 0;
  for (const [pid, { parent }] of table) if (parent === root) sum += treeMs(table, pid);
  return sum;
}

function busyMs() {
  const line = readProc('/proc/stat', readText)?.split('\n', 1)[0] ?? '';
  const [, user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(/\s+/).map(Number);
  return (user + nice + system + steal) * TICK_MS;
}

const readText = (path) => readFileSync(path, 'utf8');

function readProc(path, read) {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

export async function describeMachine(pool) {
  const [{ rows }, queues] = [
    await pool.query(
      "SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync",
    ),
    connectQueues(redisUrl(), () => undefined),
  ];
  const info = await queues.consumer.info('server').finally(() => queues.close());
  const { version, fsync } = rows[0];
  return [
    `${CORES} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${version.split(' ')[0]} (fsync ${fsync})`,
    `Redis ${/(?:redis|valkey)_version:(\S+)/.exec(info)?.[1]}`,
  ].join(', ');
}

export function commitOf(checkout) {
  try {
    const options = { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    const dirty = execFileSync('git', ['status', '--porcelain', '-uno'], options)
      ? ' and changes'
      : '';
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim() + dirty;
  } catch {
    return join(checkout, '');
  }
}
