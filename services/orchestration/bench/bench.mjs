import { benchAlerts } from './alerts.mjs';
import { benchFirings } from './firings.mjs';
import { benchHealth } from './health.mjs';
import { benchHttp } from './http.mjs';
import { benchLists } from './lists.mjs';
import { benchWalls } from './walls.mjs';
import { benchWebhooks } from './webhooks.mjs';

const BENCHMARKS = {
  http: benchHttp,
  lists: benchLists,
  webhooks: benchWebhooks,
  firings: benchFirings,
  health: benchHealth,
  alerts: benchAlerts,
  walls: benchWalls,
};

const USAGE = `usage: DATABASE_URL=postgresql://… npm run bench -- ${Object.keys(BENCHMARKS).join(' | ')}
  The database server is asked for scratch databases, which are dropped at the end; nothing else is touched.
  All but lists need a Redis too (REDIS_URL); their keys there have a prefix of their own and are removed.
  http takes the folder of another, built checkout to compare with (or -), and the beginning of a row's title.
  alerts needs Prometheus too, of Debian's package \`prometheus\`.`;

const bench = BENCHMARKS[process.argv[2]];
const url = process.env.DATABASE_URL;
if (!bench || !url) {
  console.error(USAGE);
  process.exit(2);
}
const passed = await bench(url);
process.exit(passed ? 0 : 1);
