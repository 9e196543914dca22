// Usage: DATABASE_URL=… node packages/lab/bench/metrics/history.mjs
// Rolls up the seeded rows, then times the history against a plain read of the same rows. Each
// round times both in succession, because other load then slows both equally. The result is the
// median ratio. Exits with 1 if a ratio misses its goal.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { silentLogger } = require('@switchyard/server');
const { createContext } = require('@switchyard/metrics/dist/context.js');
const { readConfig } = require('@switchyard/metrics/dist/config.js');
const { readHistory } = require('@switchyard/metrics/dist/history/read-history.js');
const { historyQuery } = require('@switchyard/metrics/dist/history/history-query.js');
const { rollUp } = require('@switchyard/metrics/dist/history/roll-up.js');

const ROUNDS = 21;
const DAY = 86_400_000;
const symbol = 'ETH/USDT';
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

const end = new Date(at.getTime() + 1);
const since = (days) => new Date(end.getTime() - days * DAY).toISOString();
const read = (query) => () =>
  readHistory(context, historyQuery.parse({ kind: 'market', end: end.toISOString(), ...query }));

const scan = (days) => () =>
  pool.query('SELECT count(last) FROM market_snapshot WHERE symbol = $1 AND captured_at >= $2', [
    symbol,
    since(days),
  ]);
const fetch = (days, limit) => () =>
  pool.query(
    `SELECT * FROM market_snapshot WHERE symbol = $1 AND captured_at >= $2
     ORDER BY captured_at DESC, id DESC LIMIT $3`,
    [symbol, since(days), limit],
  );
const fetchDeep = () =>
  pool.query(
    `SELECT * FROM market_snapshot WHERE captured_at > $1 ORDER BY captured_at, id LIMIT 500`,
    [since(60)],
  );

async function deepPage() {
  const query = { kind: 'market', order: 'asc', start: since(340), limit: '500' };
  const first = await read({ ...query, limit: '1' })();
  const cursor = JSON.parse(Buffer.from(first.pagination.next_cursor, 'base64url').toString());
  cursor[3] = end.getTime() - 60 * DAY;
  const deep = Buffer.from(JSON.stringify(cursor)).toString('base64url');
  return read({ ...query, cursor: deep });
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const ordered = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => ordered(numbers)[numbers.length >> 1];

async function compare(query, physical) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push([await timed(query), await timed(physical)]);
  }
  const own = rounds.map(([ms]) => ms);
  return {
    first: own[0],
    p50: median(own),
    p95: ordered(own)[Math.floor(ROUNDS * 0.95)],
    physical: median(rounds.map(([, ms]) => ms)),
    ratio: median(rounds.map(([ms, base]) => ms / base)),
  };
}

const window = (days, interval, agg = 'last') =>
  read({ symbol, start: since(days), interval, agg, limit: '1000' });
const cases = [
  ['24 h raw, page of 1000', window(1, 'raw'), fetch(1, 1000), 4, 50],
  ['24 h in 5 m, last', window(1, '5m'), fetch(1, 2880), 2, 50],
  ['24 h in 5 m, ohlc', window(1, '5m', 'ohlc'), fetch(1, 2880), 2, 50],
  ['30 d in 1 h, last', window(30, '1h'), scan(30), 1, 250],
  ['30 d in 1 h, avg', window(30, '1h', 'avg'), scan(30), 1, 250],
  ['1 y in 1 d, last', window(365, '1d'), scan(365), 0.15, 100],
  ['1 y in 1 d, avg', window(365, '1d', 'avg'), scan(365), 0.4, 300],
  ['1 y in 1 d, ohlc', window(365, '1d', 'ohlc'), scan(365), 0.4, 300],
  ['page of 500, 280 d deep', await deepPage(), fetchDeep, 4, 20],
];
const widths = [26, 26, 18, 16, 0];
const line = (...cells) =>
  console.log(cells.map((cell, place) => String(cell).padEnd(widths[place])).join(''));
line('query', 'first / p50 / p95 ms', 'physical read ms', 'ratio (bound)', 'p95 goal');
let missed = 0;
for (const [name, query, physical, bound, goal] of cases) {
  const found = await compare(query, physical);
  const isMissed = found.ratio > bound;
  if (isMissed) missed += 1;
  line(
    name,
    [found.first, found.p50, found.p95].map((ms) => ms.toFixed(1)).join(' / '),
    found.physical.toFixed(1),
    `${found.ratio.toFixed(2)} (${bound})${isMissed ? ' MISSED' : ''}`,
    `${goal} ms ${found.p95 <= goal ? 'met' : 'over'}`,
  );
}
await context.close();
process.exitCode = missed > 0 ? 1 : 0;
