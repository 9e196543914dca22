// Usage: npm run rehearse-metrics -- [collections of the soak, default 1000]
// The service as it is deployed, on a PostgreSQL of its own that is really stopped, with a kill -9: starts,
// repeats, an outage during collects, a crash during one, speed and memory. Exits 1 when a check misses.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migrate } from '../lib/migrate.mjs';
import { anyFreePort } from '../lib/ports.mjs';
import { chooseAccount } from '../lib/postgres/account.mjs';
import { chooseBinaries } from '../lib/postgres/binaries.mjs';
import { createDatabases } from '../lib/postgres/client.mjs';
import { makeCluster } from '../lib/postgres/cluster.mjs';
import { reachableBinaries } from '../lib/postgres/place.mjs';
import { startServer, stopServer, urlOf } from '../lib/postgres/server.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { Pool } = createRequire(path.join(root, 'packages/db/package.json'))('pg');
const SYMBOLS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'LTC'];
const soak = Number(process.argv[2] ?? 1000);

let missed = 0;
function check(name, holds, text) {
  if (!holds) missed += 1;
  console.log(`${holds ? 'ok    ' : 'MISSED'} ${name}: ${text}`);
}

/** Absolute times say something about the service only where nothing else has the processors. */
const isBusy = loadavg()[0] > availableParallelism();
function checkSpeed(name, holds, text) {
  if (holds || !isBusy) check(name, holds, text);
  else console.log(`busy   ${name}: ${text}; not judged at a load of ${loadavg()[0].toFixed(1)}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-rehearsal-'));
chmodSync(folder, 0o711);
const account = chooseAccount();
const binaries = reachableBinaries(chooseBinaries(root, process.env), account, folder);
const logFile = path.join(folder, 'postgres.log');
const options = { root, binaries, account, folder, password: 'rehearsal', logFile, durable: true };
await makeCluster(options);
let server = await startServer(options);
await createDatabases(root, urlOf(server), ['metrics']);
const databaseUrl = urlOf(server, 'metrics');
await migrate(root, { metrics: { runner: { DATABASE_URL: databaseUrl } } });
const port = await anyFreePort();
const pool = new Pool({ connectionString: databaseUrl, max: 3 }).on('error', () => {});

let child;
async function get(name) {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${name}`).catch(() => undefined);
  return { status: response?.status ?? 0, ms: performance.now() - started };
}
async function startService() {
  const started = performance.now();
  child = spawn(process.execPath, [path.join(root, 'services/metrics/dist/bin/metrics.js')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      METRICS_PORT: String(port),
      METRICS_SYMBOLS: SYMBOLS.map((name) => `${name}/USDT`).join(),
      METRICS_COLLECTION_TIMEOUT_MS: '8000',
      LOG_LEVEL: 'error',
    },
    stdio: 'ignore',
  });
  while ((await get('/health')).status !== 200) await sleep(20);
  return performance.now() - started;
}
const ended = () => new Promise((resolve) => child.once('exit', resolve));
const rssMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`))[1]) / 1024;

async function collect(collection_id) {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/metrics/collect`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ collection_id }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text), ms: performance.now() - started };
}
const one = async (sql) => (await pool.query(sql)).rows[0];
const STORED = `(SELECT count(*) FROM balance_snapshot WHERE collection_ref = c.id)
  + (SELECT count(*) FROM market_snapshot WHERE collection_ref = c.id)
  + (SELECT count(*) FROM regime_snapshot WHERE collection_ref = c.id)`;
const halves = async () =>
  (
    await one(`SELECT count(*)::int AS n FROM collection c WHERE ${STORED} <>
    CASE status WHEN 'success' THEN data_points ELSE 0 END`)
  ).n;
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) * share)];

async function start() {
  const ms = await startService();
  const mb = rssMb();
  checkSpeed('start', ms < 1500, `ready in ${ms.toFixed(0)} ms (1500)`);
  check('memory at the start', mb < 120, `${mb.toFixed(0)} MB (120)`);
  const require = createRequire(path.join(root, 'services/metrics/package.json'));
  for (const name of ['app', 'context'])
    require(path.join(root, `services/metrics/dist/${name}.js`));
  const loaded = Object.keys(require.cache).some((file) => /[\\/]ccxt[\\/]/.test(file));
  check('the exchange library', !loaded, loaded ? 'is loaded' : 'is not loaded');
}

async function repeats() {
  const first = await collect('retried');
  const all = [first];
  for (let retry = 0; retry < 4; retry++) all.push(await collect('retried'));
  const together = await Promise.all(Array.from({ length: 20 }, () => collect('together')));
  for (const [name, answers] of [
    ['five tries of one call', all],
    ['20 equal calls at once', together],
  ]) {
    const { collection_id, data_points_collected } = answers[0].body;
    const { n, stored } = await one(`SELECT count(*)::int AS n, sum(${STORED})::int AS stored
      FROM collection c WHERE collection_id = '${collection_id}'`);
    const isOne = n === 1 && stored === data_points_collected;
    const bodies = new Set(answers.map(({ text }) => text)).size;
    const text = `${bodies} body, ${n} collection, ${stored} rows`;
    check(name, bodies === 1 && isOne && answers[0].status === 200, text);
  }
}

async function outage() {
  const answers = [];
  let isOver = false;
  const caller = async (name) => {
    for (let turn = 0; !isOver; turn++) answers.push(await collect(`${name}-${turn}`));
  };
  const callers = ['a', 'b', 'c'].map(caller);
  await sleep(1000);
  await stopServer(server);
  const down = performance.now();
  await sleep(1100);
  const health = await get('/health');
  check(
    'health without database',
    health.status === 500 && health.ms < 1500,
    `${health.status} after ${health.ms.toFixed(0)} ms (500, 1500)`,
  );
  await sleep(1000);
  server = await startServer({ ...options, port: server.port });
  const up = performance.now();
  while ((await collect('after the outage'.replaceAll(' ', '-'))).status !== 200) await sleep(20);
  const recovered = performance.now() - up;
  await sleep(500);
  isOver = true;
  await Promise.all(callers);
  const failed = answers.filter(({ status }) => status !== 200);
  const isShaped = ({ status, body }) =>
    status === 500 &&
    body.status === 'error' &&
    body.collection_id === 'failed' &&
    body.data_points_collected === 0 &&
    body.storage_status === 'failed' &&
    body.dashboard_updated === false &&
    typeof body.error === 'string';
  check(
    'PostgreSQL stopped during collects',
    failed.length > 0 && failed.every(isShaped),
    `${answers.length} calls, ${failed.length} answered the failure body in ${((up - down) / 1000).toFixed(1)} s`,
  );
  check(
    'recovery without a restart',
    recovered < 2500,
    `${recovered.toFixed(0)} ms after PostgreSQL`,
  );
  check('half collections', (await halves()) === 0, String(await halves()));
  const again = await collect('a-0');
  check(
    'a collected id after the outage',
    answers.some(({ text }) => text === again.text),
    'same bytes',
  );
}

async function crash() {
  const blocker = await pool.connect();
  await blocker.query('BEGIN; LOCK TABLE market_snapshot IN ACCESS EXCLUSIVE MODE');
  const cut = collect('killed').catch(() => 'cut');
  const waiting = 'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted';
  while ((await one(waiting)).n === 0) await sleep(20);
  const gone = ended();
  child.kill('SIGKILL');
  await gone;
  await blocker.query('ROLLBACK');
  blocker.release();
  const isCut = (await cut) === 'cut';
  await startService();
  const again = await collect('killed');
  const { attempt } = await one("SELECT attempt FROM collection WHERE collection_id = 'killed'");
  check(
    'kill -9 during a collection',
    isCut && again.status === 200 && attempt === 2,
    `collected again as attempt ${attempt} in ${again.ms.toFixed(0)} ms; half collections: ${await halves()}`,
  );
}

async function speed() {
  const alone = [];
  for (let turn = 0; turn < 200; turn++) alone.push((await collect(`alone-${turn}`)).ms);
  const [p50, p95] = [at(alone, 0.5), at(alone, 0.95)];
  checkSpeed(
    '10 symbols, simulated',
    p50 <= 60 && p95 <= 200,
    `p50 ${p50.toFixed(0)} ms (60), p95 ${p95.toFixed(0)} ms (200)`,
  );
  const begun = performance.now();
  let turn = 0;
  let warm = 0;
  const caller = async () => {
    while (turn < soak) {
      const { status } = await collect(`soak-${turn++}`);
      if (status !== 200) throw new Error(`a collection of the soak answered ${status}`);
      if (turn === Math.floor(soak / 4)) warm = rssMb();
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  const rate = turn / ((performance.now() - begun) / 1000);
  const { n } = await one(
    "SELECT count(*)::int AS n FROM collection WHERE collection_id LIKE 'soak-%' AND status = 'success'",
  );
  checkSpeed(
    'throughput',
    rate >= 20 && n === turn,
    `${rate.toFixed(0)} collections/s (20), ${n} of ${turn} stored`,
  );
  const grown = rssMb() - warm;
  check(
    'memory',
    grown < 20,
    `${warm.toFixed(0)} MB after a quarter, ${grown.toFixed(0)} MB more at the end (20)`,
  );
}

try {
  await start();
  await repeats();
  await outage();
  await crash();
  await speed();
} finally {
  const gone = ended();
  if (child.kill('SIGTERM')) await gone;
  await pool.end();
  await stopServer(server);
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
