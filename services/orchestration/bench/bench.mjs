import { benchLists } from './lists.mjs';

const BENCHMARKS = { lists: benchLists };

const USAGE = `usage: DATABASE_URL=postgresql://… npm run bench -- ${Object.keys(BENCHMARKS).join(' | ')}
  The database server is asked for scratch databases, which are dropped at the end; nothing else is touched.`;

const bench = BENCHMARKS[process.argv[2]];
const url = process.env.DATABASE_URL;
if (!bench || !url) {
  console.error(USAGE);
  process.exit(2);
}
const passed = await bench(url);
process.exit(passed ? 0 : 1);
