import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../shared/build-company.mjs';
import { withCleanup } from '../shared/cleanup.mjs';
import { json } from '../shared/load.mjs';
import { percentile } from '../shared/measure.mjs';
import { OWN, startProcess } from '../shared/processes.mjs';
import { median } from '../shared/rounds.mjs';
import { openScratchPool, scratchDatabase } from '../shared/scratch.mjs';
import { fixed, openReport } from '../shared/table.mjs';

const PROGRAMS = join(OWN, 'packages/lab/bench/metrics');
const LATENCY_MS = 80;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const pool = openScratchPool(serverUrl);
    onEnd(() => pool.end());
    const report = await openReport({ name: 'collections', options, pool });
    report.head([
      `collection, ${LATENCY_MS} ms per response`,
      'p50 / p95 ms',
      'calls',
      'goal of p95',
      'CPU ms',
      'samples',
    ]);
    for (const row of ROWS.filter(({ title }) => title.startsWith(options.only))) {
      await withCleanup((onEndOfRow) =>
        measure(serverUrl, row, options.rounds, report, onEndOfRow),
      );
    }
    report.head(['first collection after a start', 'p50 / slowest ms', 'goal', 'starts']);
    for (const row of STARTS.filter(({ title }) => title.startsWith(options.only))) {
      await withCleanup((onEndOfRow) => measureStarts(serverUrl, row, options, report, onEndOfRow));
    }
    return true;
  });
}

const ROWS = [10, 100].flatMap((symbols) =>
  [false, true].flatMap((limited) =>
    [
      ['within an hour', 5 * MINUTE],
      ['in a new hour', HOUR],
    ].map(([when, stepMs]) => ({
      ...{ symbols, limited, stepMs, goal: symbols === 10 && !limited ? 500 : 1_500 },
      title: `${symbols} symbols, ${when}${limited ? ", within the exchange's limits" : ''}`,
    })),
  ),
);

const STARTS = [
  { title: 'simulated, 3 symbols', symbols: 3, simulated: true, goal: 300 },
  { title: `${LATENCY_MS} ms per response, 3 symbols`, symbols: 3, goal: 300 },
  { title: `${LATENCY_MS} ms per response, 100 symbols`, symbols: 100 },
];

async function measure(
  serverUrl,
  { title, symbols, limited, stepMs, goal },
  rounds,
  report,
  onEnd,
) {
  const exchange = await openExchange(symbols, onEnd);
  const database = await scratchDatabase(serverUrl, 'collections', { product: 'metrics' });
  onEnd(() => database.drop());
  const environment = {
    ...{ DATABASE_URL: database.url, LIMITED: String(limited) },
    ...environmentOf(exchange, symbols),
  };
  const collector = await openProgram('collector.mjs', [], environment, onEnd);
  let aheadMs = 0;
  const forward = async (ms) => {
    aheadMs += ms;
    await collector.tell({ aheadMs });
    return (await exchange.tell({ aheadMs })).asked;
  };
  const collect = async () => {
    const { problem, ...sample } = await collector.tell({ collects: true });
    if (problem) throw new Error(`${title}: ${problem}`);
    return sample;
  };
  const now = Date.now();
  await forward(Math.ceil(now / HOUR) * HOUR + 2 * MINUTE - now);
  for (let warm = 0; warm < 3; warm++) await collect();
  const samples = [];
  const calls = [];
  const times = stepMs < HOUR ? Math.min(rounds * 4, 10) : rounds * 4;
  for (let turn = 0; turn < times; turn++) {
    await forward(stepMs);
    samples.push(await collect());
    calls.push(await forward(0));
    if (stepMs >= HOUR) await collect().then(() => forward(0));
  }
  const all = samples.map(({ ms }) => ms);
  report.row([
    title,
    `${fixed(median(all))} / ${fixed(percentile(all, 0.95))}`,
    median(calls),
    goal,
    fixed(median(samples.map(({ cpu }) => cpu))),
    times,
  ]);
}

async function measureStarts(
  serverUrl,
  { title, symbols, simulated, goal },
  { rounds },
  report,
  onEnd,
) {
  const exchange = simulated ? null : await openExchange(symbols, onEnd);
  for (const kind of ['on an empty database', 'after a restart']) {
    const found = [];
    for (let round = 0; round < rounds; round++) {
      const database = await scratchDatabase(serverUrl, 'collections', { product: 'metrics' });
      try {
        const start = () => firstCollection(database.url, environmentOf(exchange, symbols));
        const first = await start();
        found.push(kind === 'after a restart' ? await start() : first);
      } finally {
        await database.drop();
      }
    }
    const times = `${fixed(median(found))} / ${fixed(Math.max(...found))}`;
    report.row([`${title}, ${kind}`, times, goal ?? '–', found.length]);
  }
}

async function firstCollection(databaseUrl, environment) {
  const port = await freePort();
  const metrics = await startProcess('metrics', {
    ...{ PATH: process.env.PATH, LOG_FORMAT: 'json', ...environment },
    ...{ DATABASE_URL: databaseUrl, MARKET_METRICS_PORT: String(port) },
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await (await fetch(`${url}/readyz`)).arrayBuffer();
    const began = performance.now();
    const response = await fetch(`${url}/metrics/collect`, json({}));
    const body = await response.json();
    if (body.degraded !== false) throw new Error(JSON.stringify(body));
    return performance.now() - began;
  } finally {
    await metrics.stop();
  }
}

function openExchange(markets, onEnd) {
  const options = { dialect: 'binance', latencyMs: LATENCY_MS, markets };
  return openProgram('exchange.mjs', [JSON.stringify(options)], {}, onEnd);
}

async function openProgram(file, words, environment, onEnd) {
  const env = { PATH: process.env.PATH, ...environment };
  const child = fork(join(PROGRAMS, file), words, { env });
  onEnd(async () => {
    if (child.exitCode !== null) return;
    child.disconnect();
    await once(child, 'exit');
  });
  const answer = async () => {
    const answered = new AbortController();
    const { signal } = answered;
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${file} ended with ${code}`);
    });
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    answered.abort();
    return message;
  };
  const first = await answer();
  const tell = (message) => {
    child.send(message);
    return answer();
  };
  return { ...first, tell };
}

function environmentOf(exchange, symbols) {
  if (!exchange) return { METRICS_SYMBOLS: 'BTC/USDT,ETH/USDT,BNB/USDT' };
  return {
    METRICS_SYMBOLS: exchange.symbols.slice(0, symbols).join(),
    EXCHANGE_MODE: 'live',
    EXCHANGE_ID: 'binance',
    EXCHANGE_BASE_URL: exchange.url,
    EXCHANGE_API_KEY: exchange.apiKey,
    EXCHANGE_API_SECRET: exchange.secret,
  };
}
