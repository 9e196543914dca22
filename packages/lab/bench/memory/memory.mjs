import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { buildFixture } from '../http/fixture.mjs';
import { requestRows } from '../http/rows.mjs';
import { makeAgents, playTogether } from '../runs/play.mjs';
import { freePort } from '../shared/build-company.mjs';
import { withCleanup } from '../shared/cleanup.mjs';
import { startDeployments } from '../shared/deployments.mjs';
import { json, load } from '../shared/load.mjs';
import { between, openMachine } from '../shared/machine.mjs';
import { environmentOf, startProcess } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { fixed, openReport } from '../shared/table.mjs';

const SETTLED_MS = 5_000;
const RUNS_IN_FLIGHT = 16;
const IDLE_MS = 30_000;
const REST_MS = 75_000;

/** Maximum resident MB per process under load: docs/performance.md, "Memory and idle cost". */
const BUDGETS = [
  ['API', 256],
  ['worker', 256],
  ['metrics', 256],
  ['runner', 100],
];

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const targets = await startDeployments(serverUrl, 'memory', options, {}, onEnd);
    for (const target of targets) {
      await target.addWorker();
      await addMetrics(serverUrl, target, options, onEnd);
    }
    const [{ pool }] = targets;
    const machine = await openMachine(pool);
    const report = await openReport({ name: 'memory', options, pool });
    await delay(SETTLED_MS);
    const resting = targets.map(({ processes }) =>
      processes.map(({ pid }) => memoryOf(pid, 'VmRSS')),
    );
    for (const target of targets) await pressAll(target, options.rounds);
    const held = targets.map(({ processes }) => processes.map(({ pid }) => memoryOf(pid, 'VmHWM')));
    report.head([
      'memory',
      'budget, MB',
      ...targets.flatMap(({ name }) => [`${name}: at rest, MB`, 'at most under load, MB']),
    ]);
    for (const [at, [name, budget]] of BUDGETS.entries()) {
      report.row([
        name,
        fixed(budget),
        ...targets.flatMap(({ processes }, target) => [
          processes[at] ? fixed(resting[target][at]) : '–',
          processes[at] ? fixed(held[target][at]) : '–',
        ]),
      ]);
    }
    await measureIdle({ targets, machine, report });
    return BUDGETS.every(([, budget], at) => held[0][at] <= budget);
  });
}

async function addMetrics(serverUrl, target, options, onEnd) {
  const database = await scratchDatabase(serverUrl, `metrics_${target.name}`, {
    product: 'metrics',
  });
  onEnd(() => database.drop());
  const port = await freePort();
  const { PATH } = environmentOf(database.url, '');
  const environment = {
    PATH,
    DATABASE_URL: database.url,
    MARKET_METRICS_PORT: String(port),
    METRICS_SYMBOLS: ['BTC', 'ETH', 'SOL', 'BNB', 'XRP'].map((name) => `${name}/USDT`).join(),
    LOG_FORMAT: 'json',
  };
  const checkout = target.name === 'own' ? undefined : options.before;
  const metrics = await startProcess('metrics', environment, checkout);
  onEnd(() => metrics.stop());
  const [api, worker, runner] = target.pids;
  target.metricsUrl = `http://127.0.0.1:${port}`;
  target.processes = [{ pid: api }, { pid: worker }, { pid: metrics.pid }];
  if (runner) target.processes.push({ pid: runner });
}

async function pressAll(target, rounds) {
  for (const { pid } of target.processes) forgetPeak(pid);
  const fixture = await buildFixture(target.api, target.pool);
  const agents = await makeAgents(target, RUNS_IN_FLIGHT);
  for (let round = 0; round < rounds; round++) {
    for (const row of requestRows(() => fixture))
      await row.run(target, await row.prepare?.(target));
    await playTogether(target, agents, RUNS_IN_FLIGHT, 10_000);
    await pressMetrics(target.metricsUrl);
  }
}

async function pressMetrics(url) {
  let turn = 0;
  const collect = () => ({
    path: '/metrics/collect',
    ...json({ collection_id: `bench-${Date.now()}-${turn++}` }),
  });
  await load({ url, next: collect, connections: 4, ms: 5_000 });
  for (const path of ['/metrics/history?kind=market&limit=500', '/metrics', '/health']) {
    await load({ url, path, connections: 8, ms: 2_000 });
  }
}

async function measureIdle({ targets, machine, report }) {
  report.head([
    '1,000 agents, 1,000 schedules, at rest',
    'API, % of a core',
    'worker',
    'runner',
    'PostgreSQL',
    'Redis',
    'other work',
  ]);
  for (const target of targets) await addRoutines(target.pool, 1_000);
  for (const target of targets) {
    const others = targets.filter((each) => each !== target).flatMap((each) => each.processes);
    for (const { pid } of others) process.kill(pid, 'SIGSTOP');
    await delay(REST_MS);
    const [api, worker, , runner] = target.processes.map(({ pid }) => pid);
    const pids = [api, worker, runner].filter((pid) => pid !== undefined);
    const before = pids.map((pid) => machine.read([pid]));
    await delay(IDLE_MS);
    const used = pids.map((pid, at) => between(before[at], machine.read([pid])));
    for (const { pid } of others) process.kill(pid, 'SIGCONT');
    const share = (ms) => fixed((ms / used[0].ms) * 100, 1);
    report.row([
      target.name,
      ...[0, 1, 2].map((at) => (used[at] ? share(used[at].service) : '–')),
      share(used[0].database),
      share(used[0].redis),
      `${Math.round(used[0].foreign * 100)} %`,
    ]);
  }
}

const memoryOf = (pid, key) => {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${key}:\\s+(\\d+)`).exec(text)[1]) / 1024;
};

const forgetPeak = (pid) => writeFileSync(`/proc/${pid}/clear_refs`, '5');

async function addRoutines(pool, count) {
  await pool.query(
    `WITH company AS (
       INSERT INTO company (id, name, issue_prefix) VALUES (gen_random_uuid(), 'Idle', 'IDL') RETURNING id
     ), agents AS (
       INSERT INTO agent (id, company_id, name, name_key, role, adapter_type, adapter_config)
       SELECT gen_random_uuid(), company.id, 'Agent ' || n, 'agent ' || n, 'engineer', 'process', '{"command": "true"}'
       FROM company, generate_series(1, $1::int) n RETURNING id, company_id
     ), project AS (
       INSERT INTO project (id, company_id, name)
       SELECT gen_random_uuid(), id, 'Project' FROM company RETURNING id
     ), routines AS (
       INSERT INTO routine (id, company_id, title, assignee_agent_id, project_id)
       SELECT gen_random_uuid(), company_id, 'Routine', agents.id, project.id FROM agents, project
       RETURNING id, company_id
     )
     INSERT INTO routine_trigger (id, company_id, routine_id, kind, cron_expression, timezone, next_run_at)
     SELECT gen_random_uuid(), company_id, id, 'schedule', '0 0 1 1 *', 'UTC', now() + interval '300 days'
     FROM routines`,
    [count],
  );
}
