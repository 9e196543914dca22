import { createRequire } from 'node:module';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Answer, type Collector, newCollector } from './collector.js';

export interface Rehearsal {
  root: string;
  database: { url: string; stop: () => Promise<unknown>; start: () => Promise<unknown> };
  port: number;
  soak: number;
  say: (line: string) => void;
  onEnd: (end: () => Promise<unknown>) => void;
}

type Stage = Rehearsal & { collector: Collector; report: Report; queries: Queries };

/**
 * Tests the built service on a PostgreSQL that the rehearsal stops and kills: starts, repeats,
 * outages during collections, a crash during one, speed and memory. Returns true if every check
 * passes.
 */
export async function rehearse(rehearsal: Rehearsal): Promise<boolean> {
  const { root, database, port, say, onEnd } = rehearsal;
  const collector = newCollector(root, database.url, port);
  const queries = newQueries(database.url);
  const report = newReport(say);
  onEnd(() => collector.end('SIGTERM'));
  const stage = { ...rehearsal, collector, report, queries };
  try {
    for (const play of [start, repeats, outage, crash, speed]) await play(stage);
  } finally {
    await queries.pool.end();
  }
  return report.missed() === 0;
}

async function start({ root, collector, report }: Stage): Promise<void> {
  const ms = await collector.start();
  const mb = collector.memoryMb();
  report.checkSpeed('start', ms < 1500, `ready in ${ms.toFixed(0)} ms (1500)`);
  report.check('memory at the start', mb <= 150, `${mb.toFixed(0)} MB (150)`);
  const built = createRequire(join(root, 'services/metrics/dist/app.js'));
  for (const module of ['./app.js', './context.js']) built(module);
  const isLoaded = Object.keys(built.cache).some((file) => /[\\/]ccxt[\\/]/.test(file));
  report.check('the exchange library', !isLoaded, isLoaded ? 'is loaded' : 'is not loaded');
}

async function repeats({ collector, report, queries }: Stage): Promise<void> {
  const all = [await collector.collect('retried')];
  for (let retry = 0; retry < 4; retry++) all.push(await collector.collect('retried'));
  const calls = Array.from({ length: 20 }, () => collector.collect('together'));
  const checkOne = async (name: string, answers: Answer[]) => {
    const [{ body, status }] = answers as [Answer];
    const { n, stored } = await queries.one(
      `SELECT count(*)::int AS n, sum(${STORED})::int AS stored
       FROM collection c WHERE collection_id = $1`,
      [body.collection_id],
    );
    const isOne = n === 1 && stored === body.data_points_collected;
    const bodies = new Set(answers.map(({ text }) => text)).size;
    const text = `${bodies} body, ${n} collection, ${stored} rows`;
    report.check(name, bodies === 1 && isOne && status === 200, text);
  };
  await checkOne('five attempts of one call', all);
  await checkOne('20 identical concurrent calls', await Promise.all(calls));
}

async function outage({ collector, report, queries, database }: Stage): Promise<void> {
  const answers: Answer[] = [];
  let isOver = false;
  const callers = ['a', 'b', 'c'].map(async (name) => {
    for (let turn = 0; !isOver; turn++) answers.push(await collector.collect(`${name}-${turn}`));
  });
  await sleep(1000);
  await database.stop();
  const down = performance.now();
  await sleep(1100);
  const { status, ms } = await collector.health();
  const text = `${status} after ${ms.toFixed(0)} ms (500, 1500)`;
  report.check('health without database', status === 500 && ms < 1500, text);
  await sleep(1000);
  await database.start();
  const up = performance.now();
  while ((await collector.collect('after-the-outage')).status !== 200) await sleep(20);
  const recovered = performance.now() - up;
  await sleep(500);
  isOver = true;
  await Promise.all(callers);
  const failed = answers.filter((answer) => answer.status !== 200);
  const seconds = ((up - down) / 1000).toFixed(1);
  report.check(
    'PostgreSQL stopped during collections',
    failed.length > 0 && failed.every(isFailureBody),
    `${answers.length} calls, ${failed.length} answered the failure body in ${seconds} s`,
  );
  report.check(
    'recovery without a restart',
    recovered < 2500,
    `${recovered.toFixed(0)} ms after PostgreSQL`,
  );
  const halves = await queries.halves();
  report.check('incomplete collections', halves === 0, String(halves));
  const again = await collector.collect('a-0');
  const isSame = answers.some((answer) => answer.text === again.text);
  report.check('a repeated id after the outage', isSame, 'same bytes');
}

const isFailureBody = ({ status, body }: Answer) =>
  status === 500 &&
  body.status === 'error' &&
  body.collection_id === 'failed' &&
  body.data_points_collected === 0 &&
  body.storage_status === 'failed' &&
  body.dashboard_updated === false &&
  typeof body.error === 'string';

async function crash({ collector, report, queries }: Stage): Promise<void> {
  const blocker = await queries.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE market_snapshot IN ACCESS EXCLUSIVE MODE');
  const cut = collector.collect('killed').then(
    () => false,
    () => true,
  );
  const waiting = 'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted';
  while ((await queries.one(waiting)).n === 0) await sleep(20);
  await collector.end('SIGKILL');
  await blocker.query('ROLLBACK');
  blocker.release();
  const isCut = await cut;
  await collector.start();
  const { status, ms } = await collector.collect('killed');
  const { attempt } = await queries.one(
    "SELECT attempt FROM collection WHERE collection_id = 'killed'",
  );
  report.check(
    'kill -9 during a collection',
    isCut && status === 200 && attempt === 2,
    `collected again as attempt ${attempt} in ${ms.toFixed(0)} ms; incomplete collections: ${await queries.halves()}`,
  );
}

async function speed({ collector, report, queries, soak }: Stage): Promise<void> {
  const alone: number[] = [];
  for (let turn = 0; turn < 200; turn++) alone.push((await collector.collect(`alone-${turn}`)).ms);
  const [p50, p95] = [percentile(alone, 0.5), percentile(alone, 0.95)];
  report.checkSpeed(
    '10 symbols, simulated',
    p50 <= 60 && p95 <= 200,
    `p50 ${p50.toFixed(0)} ms (60), p95 ${p95.toFixed(0)} ms (200)`,
  );
  const begun = performance.now();
  let turn = 0;
  let warm = 0;
  const caller = async () => {
    while (turn < soak) {
      const { status } = await collector.collect(`soak-${turn++}`);
      if (status !== 200) throw new Error(`a soak collection returned ${status}`);
      if (turn === Math.floor(soak / 4)) warm = collector.memoryMb();
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  const rate = turn / ((performance.now() - begun) / 1000);
  const { n } = await queries.one(
    "SELECT count(*)::int AS n FROM collection WHERE collection_id LIKE 'soak-%' AND status = 'success'",
  );
  report.checkSpeed(
    'throughput',
    rate >= 20 && n === turn,
    `${rate.toFixed(0)} collections/s (20), ${n} of ${turn} stored`,
  );
  const held = collector.memoryMb();
  report.check(
    `memory after ${turn} collections of eight callers`,
    held <= 150,
    `${held.toFixed(0)} MB (150)`,
  );
  const grown = held - warm;
  report.check(
    'memory',
    grown < 20,
    `${warm.toFixed(0)} MB after a quarter, ${grown.toFixed(0)} MB more at the end (20)`,
  );
}

function percentile(list: number[], share: number): number {
  const sorted = [...list].sort((one, other) => one - other);
  return sorted[Math.floor((list.length - 1) * share)] ?? 0;
}

type Report = ReturnType<typeof newReport>;

function newReport(say: (line: string) => void) {
  const isBusy = (loadavg()[0] as number) > availableParallelism();
  let missed = 0;
  const check = (name: string, holds: boolean, text: string) => {
    if (!holds) missed += 1;
    say(`${holds ? 'ok    ' : 'MISSED'} ${name}: ${text}`);
  };
  const checkSpeed = (name: string, holds: boolean, text: string) => {
    if (holds || !isBusy) check(name, holds, text);
    else say(`busy   ${name}: ${text}; not judged at a load of ${loadavg()[0]?.toFixed(1)}`);
  };
  return { check, checkSpeed, missed: () => missed };
}

const STORED = `(SELECT count(*) FROM balance_snapshot WHERE collection_ref = c.id)
  + (SELECT count(*) FROM market_snapshot WHERE collection_ref = c.id)
  + (SELECT count(*) FROM regime_snapshot WHERE collection_ref = c.id)`;

type Queries = ReturnType<typeof newQueries>;

function newQueries(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  pool.on('error', () => {});
  const one = async (sql: string, values: unknown[] = []) =>
    (await pool.query(sql, values)).rows[0];
  const halves = async (): Promise<number> => {
    const { n } = await one(`SELECT count(*)::int AS n FROM collection c WHERE ${STORED} <>
      CASE status WHEN 'success' THEN data_points ELSE 0 END`);
    return n;
  };
  return { pool, one, halves };
}
