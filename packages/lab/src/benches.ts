import { buildProjects } from '@switchyard/launcher/commands/build';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { runInTerminal } from '@switchyard/launcher/process/run';
import { provideServers } from '@switchyard/launcher/temporary-servers';
import { type Job, type Run, trials } from './job.js';

export const BENCHES: Record<string, Job> = {
  http: { does: 'requests per second of the API', run: measure('http/http') },
  lists: { does: 'lists and search of a large company', run: measure('lists/lists') },
  traces: { does: 'processor time that traces add to requests', run: measure('traces/traces') },
  webhooks: { does: 'webhook calls per second', run: measure('webhooks/webhooks') },
  runs: { does: 'runs per second, compared with two other queues', run: measure('runs/runs') },
  memory: { does: 'memory and idle cost of each process', run: measure('memory/memory') },
  history: { does: 'history of the metrics service', run: measure('history/history') },
  collections: { does: 'collections from exchanges', run: measure('collections/collections') },
  costs: { does: 'cost reports of a year', run: measure('costs/costs') },
  console: { does: 'the console in Chromium', run: measure('console/console') },
  sandbox: { does: 'time that a sandbox adds to a start', run: measure('sandbox/sandbox') },
  filters: { does: 'filters of lists at two sizes', run: measure('guarantees/filters') },
  forgeries: {
    does: 'valid webhook calls among forged ones',
    run: measure('guarantees/forgeries'),
  },
  firings: { does: 'schedules that are due at the same time', run: measure('guarantees/firings') },
  health: { does: 'health checks of a loaded API', run: measure('guarantees/health') },
  alerts: { does: 'alerts in a real Prometheus', run: measure('guarantees/alerts') },
  walls: {
    does: 'a company next to another that uses all resources',
    run: measure('guarantees/walls'),
  },
  'event-loop': { does: 'time for which one request blocks the process', run: times('event-loop') },
  changes: { does: 'streams of changes that stay open', run: times('changes') },
  inbox: { does: 'the inbox of a large company', run: times('inbox') },
  deliveries: {
    does: 'time until a webhook arrives while other receivers hang',
    run: times('deliveries'),
  },
  views: { does: 'the views of a large company', run: times('views') },
};

export const BENCH_OPTIONS = `
  http, lists, webhooks, runs, memory, console and sandbox take
    [folder]        another, built checkout to compare with; - for none
    [beginning]     only rows whose title begins with this
    --rounds=5      quiet rounds of each row
    --scale=100000  issues of the large database (lists, console), events of a year (costs), rows (history)
  collections and traces take [beginning] after a -, and --rounds.
  filters takes beginnings of titles, with | between them. alerts needs Prometheus, of Debian's package \`prometheus\`.
  PostgreSQL and Redis are started unless DATABASE_URL and REDIS_URL are set. On your own servers, a benchmark
  creates and removes temporary databases, and keys with a separate prefix.`;

function measure(file: string): Run {
  return (life, root, args) => runBench(life, root, [file, ...args]);
}

function times(name: string): Run {
  return trials(`**/lab/trials/bench/${name}.bench.ts`);
}

const NAMED = { database: 'DATABASE_URL', redis: 'REDIS_URL', durable: true };

async function runBench(life: Lifecycle, root: string, words: readonly string[]): Promise<number> {
  const build = () => buildProjects(root, [], life.stop);
  const { variables } = await provideServers(life, root, build, NAMED);
  const env = { ...process.env, ...variables };
  const script = ['packages/lab/bench/bench.mjs', ...words];
  return runInTerminal(life, process.execPath, script, { cwd: root, env });
}
