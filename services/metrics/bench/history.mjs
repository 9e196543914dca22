// Usage: DATABASE_URL=… node services/metrics/bench/history.mjs
// Rolls up what is seeded, then times the history against the physical read of the same rows.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { silentLogger } = require('@switchyard/server');
const { createContext } = require('../dist/context.js');
const { readConfig } = require('../dist/config.js');
const { readHistory } = require('../dist/history/read-history.js');
const { historyQuery } = require('../dist/history/history-query.js');
const { rollUp } = require('../dist/history/roll-up.js');

const ROUNDS = 21;
const DAY = 86_400_000;
const context = createContext(readConfig({ DATABASE_URL: process.env.DATABASE_URL }), {
  logger: silentLogger,
});
const { pool } = context.db;
const newest = await pool.query(
  'SELECT max(captured_at) AS at, count(*)::int AS n FROM market_snapshot',
);
const { at, n } = newest.rows[0];
const began = performance.now();
await rollUp(context);
console.log(`${n} market rows; rolled up in ${((performance.now() - began) / 1000).toFixed(1)} s`);

async function time(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  const first = times[0];
  times.sort((a, b) => a - b);
  return { first, p50: times[ROUNDS >> 1], p95: times[Math.floor(ROUNDS * 0.95)] };
}

const end = new Date(at.getTime() + 1);
const read = (query) => () =>
  readHistory(context, historyQuery.parse({ kind: 'market', end: end.toISOString(), ...query }));
const since = (days) => new Date(end.getTime() - days * DAY).toISOString();
const raw = (days) => () =>
  pool.query('SELECT count(last) FROM market_snapshot WHERE symbol = $1 AND captured_at >= $2', [
    'ETH/USDT',
    since(days),
  ]);

async function deepPage() {
  const query = { kind: 'market', order: 'asc', start: since(340), limit: '500' };
  const first = await read({ ...query, limit: '1' })();
  const cursor = JSON.parse(Buffer.from(first.pagination.next_cursor, 'base64url').toString());
  cursor[3] = end.getTime() - 60 * DAY;
  const deep = Buffer.from(JSON.stringify(cursor)).toString('base64url');
  return read({ ...query, cursor: deep });
}

const symbol = 'ETH/USDT';
const cases = [
  ['24 h raw, 1000 rows a page', { symbol, start: since(1), limit: '1000' }, 1, 50],
  ['24 h in 5 m, last', { symbol, start: since(1), interval: '5m', limit: '1000' }, 1, 50],
  ['30 d in 1 h, last', { symbol, start: since(30), interval: '1h', limit: '1000' }, 30, 250],
  [
    '30 d in 1 h, avg',
    { symbol, start: since(30), interval: '1h', agg: 'avg', limit: '1000' },
    30,
    250,
  ],
  ['1 y in 1 d, last', { symbol, start: since(365), interval: '1d', limit: '1000' }, 365, 100],
  [
    '1 y in 1 d, avg',
    { symbol, start: since(365), interval: '1d', agg: 'avg', limit: '1000' },
    365,
    300,
  ],
  [
    '1 y in 1 d, ohlc',
    { symbol, start: since(365), interval: '1d', agg: 'ohlc', limit: '1000' },
    365,
    300,
  ],
];
const line = (...cells) => console.log(cells.map((cell) => String(cell).padEnd(28)).join(''));
line('query', 'first / p50 / p95 ms', 'physical read ms', 'ratio', 'goal p95');
const shown = ({ first, p50, p95 }) => [first, p50, p95].map((ms) => ms.toFixed(1)).join(' / ');
for (const [name, query, days, goal] of cases) {
  const found = await time(read(query));
  const physical = await time(raw(days));
  const ratio = (found.p50 / physical.p50).toFixed(2);
  line(
    name,
    shown(found),
    physical.p50.toFixed(1),
    ratio,
    `${goal} ${found.p95 <= goal ? 'ok' : 'MISSED'}`,
  );
}
const deep = await time(await deepPage());
line('page of 500, 280 d deep', shown(deep), '', '', `20 ${deep.p95 <= 20 ? 'ok' : 'MISSED'}`);
await context.close();
