import { parseArgs } from 'node:util';

/** The tables of docs/performance.md, then the promises that a test cannot hold to. */
const BENCHMARKS = {
  http: () => import('./http/http.mjs'),
  lists: () => import('./lists/lists.mjs'),
  webhooks: () => import('./webhooks/webhooks.mjs'),
  runs: () => import('./runs/runs.mjs'),
  memory: () => import('./memory/memory.mjs'),
  history: () => import('./history/history.mjs'),
  collections: () => import('./collections/collections.mjs'),
  costs: () => import('./costs/costs.mjs'),
  console: () => import('./console/console.mjs'),
  sandbox: () => import('./sandbox/sandbox.mjs'),
  filters: () => import('./guarantees/filters.mjs'),
  forgeries: () => import('./guarantees/forgeries.mjs'),
  firings: () => import('./guarantees/firings.mjs'),
  health: () => import('./guarantees/health.mjs'),
  alerts: () => import('./guarantees/alerts.mjs'),
  walls: () => import('./guarantees/walls.mjs'),
};

const USAGE = `usage: npm run bench -- ${Object.keys(BENCHMARKS).join(' | ')}
  http, lists, webhooks, runs, memory, console and sandbox take
    [folder]        another, built checkout to compare with; - for none
    [beginning]     of the titles of rows; the others are left out
    --rounds=5      quiet rounds of each row
    --scale=100000  issues of the large database (lists, console), events of a year (costs), rows (history)
    --write         put the table into docs/performance.md
  collections takes [beginning] after a -, --rounds and --write.
  filters takes beginnings of titles, with | between them. alerts needs Prometheus, of Debian's package \`prometheus\`.
  Servers are started where DATABASE_URL or REDIS_URL is not set. Elsewhere scratch databases and keys with a prefix
  of their own are made and removed; nothing else is touched.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '100000' },
    write: { type: 'boolean', default: false },
  },
});
const [name, ...words] = positionals;
const load = BENCHMARKS[name];
const url = process.env.DATABASE_URL;
if (!load || !url) {
  console.error(USAGE);
  process.exit(2);
}
const [folder = '-', only = ''] = words;
const { bench } = await load();
const passed = await bench(url, {
  words: process.argv.slice(3).filter((word) => word !== '--write'),
  before: folder === '-' ? undefined : folder,
  only,
  rounds: Number(values.rounds),
  scale: Number(values.scale),
  write: values.write,
});
process.exit(passed ? 0 : 1);
