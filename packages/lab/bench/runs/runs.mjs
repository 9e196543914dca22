import { setTimeout as delay } from 'node:timers/promises';
import { withCleanup } from '../shared/cleanup.mjs';
import { startDeployments } from '../shared/deployments.mjs';
import { openMachine } from '../shared/machine.mjs';
import { percentile } from '../shared/measure.mjs';
import { redisUrl } from '../shared/processes.mjs';
import { inRounds } from '../shared/rounds.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { fixed, openReport, ratio, roundsOf } from '../shared/table.mjs';
import { makeAgents, playAlone, playTogether } from './play.mjs';
import { openQueues, runProgram } from './queues.mjs';

const IN_FLIGHT = [8, 16, 64];
const ALONE = 40;
/**
 * Pause in ms, about as long as a run takes. Without pauses, the queue would never be idle and
 * would appear faster.
 */
const PAUSE_MS = 20;
const TOGETHER_MS = 4_000;

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const targets = await startDeployments(serverUrl, 'runs', options, {}, onEnd);
    for (const target of targets) {
      await target.addWorker();
      target.agents = await makeAgents(target, Math.max(...IN_FLIGHT));
    }
    const [own] = targets;
    const graphile = await scratchDatabase(serverUrl, 'graphile');
    onEnd(() => graphile.drop());
    const prefix = `bench${process.pid}own`;
    const servers = { redisUrl: redisUrl(), prefix, databaseUrl: graphile.url };
    const queues = await openQueues(servers, onEnd);
    const machine = await openMachine(own.pool);
    const report = await openReport({ name: 'runs', options, pool: own.pool });
    const context = { targets, queues, machine, report, options };
    await alone(context);
    for (const inFlight of IN_FLIGHT) await together(context, inFlight);
    await queuesTogether(context);
    return true;
  });
}

async function alone({ targets, queues, machine, report, options }) {
  const [bullmq, graphile] = queues;
  const program = { name: 'true', pids: [], apart: runProgram };
  const all = [...targets, ...queues, program];
  const rounds = await inRounds(machine, all, options.rounds, async (target) => {
    if (target.apart) return { p50: percentile(await inTurn(target.apart), 0.5) };
    const runs = await playAlone(target, target.agents[0], ALONE);
    const of = (key) => runs.map((run) => run[key]);
    return {
      answer: percentile(of('answer'), 0.5),
      // Times are stored in whole ms, so the mean of the middle half is more precise than the
      // median.
      start: middleMean(of('start')),
      p50: percentile(of('whole'), 0.5),
      p90: percentile(of('whole'), 0.9),
    };
  });
  const [own, before] = targets.map(rounds.of);
  const bare = rounds.of(bullmq).p50;
  report.head(['one run at a time', 'ms', 'before: ms', '÷ before', 'rounds']);
  const row = (title, key) =>
    report.row([
      title,
      fixed(own[key], 1),
      fixed(before?.[key], 1),
      ratio(own[key], before?.[key]),
      roundsOf(rounds),
    ]);
  row('POST invoke, p50', 'answer');
  row('created → started, mean of the middle half', 'start');
  row('invoke → finished, p50', 'p50');
  row('invoke → finished, p90', 'p90');
  report.row(['only BullMQ, add → process, p50', fixed(bare, 1), '–', '–', roundsOf(rounds)]);
  report.row([
    'only Graphile Worker, add → run, p50',
    fixed(rounds.of(graphile).p50, 1),
    '–',
    '–',
    roundsOf(rounds),
  ]);
  report.row([
    'only `true`, spawn → close, p50',
    fixed(rounds.of(program).p50, 1),
    '–',
    '–',
    roundsOf(rounds),
  ]);
  report.row([
    'created → started ÷ only BullMQ',
    ratio(own.start, bare),
    ratio(before?.start, bare),
    '–',
    roundsOf(rounds),
  ]);
  report.head([
    'runs in flight',
    'runs a minute',
    'CPU ms per run: API, worker and children + PostgreSQL',
    'before: runs per minute',
    'CPU ms per run',
    '÷ before',
    'rounds',
  ]);
}

async function together({ targets, machine, report, options }, inFlight) {
  const rounds = await inRounds(machine, targets, options.rounds, async (target) => {
    const began = performance.now();
    const count = await playTogether(target, target.agents, inFlight, TOGETHER_MS);
    return { count, perMinute: (count * 60_000) / (performance.now() - began) };
  });
  const [own, before] = targets.map(rounds.of);
  const cost = (each) => (each ? `${fixed(each.service, 1)} + ${fixed(each.database, 1)}` : '–');
  report.row([
    String(inFlight),
    fixed(own.perMinute),
    cost(own),
    fixed(before?.perMinute),
    cost(before),
    ratio(own.perMinute, before?.perMinute),
    roundsOf(rounds),
  ]);
}

async function queuesTogether({ queues, machine, report, options }) {
  report.head([
    'only the queue, jobs in flight',
    ...queues.map(({ name }) => `${name}: jobs a minute`),
    'rounds',
  ]);
  for (const inFlight of IN_FLIGHT) {
    const rounds = await inRounds(machine, queues, options.rounds, async ({ together: add }) => {
      const began = performance.now();
      const until = began + TOGETHER_MS / 2;
      let count = 0;
      const lane = async () => {
        for (; performance.now() < until; count++) await add();
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
      return { count, perMinute: (count * 60_000) / (performance.now() - began) };
    });
    const cells = queues.map((target) => fixed(rounds.of(target).perMinute));
    report.row([String(inFlight), ...cells, roundsOf(rounds)]);
  }
}

async function inTurn(add) {
  const times = [];
  for (let n = 0; n < ALONE; n++) {
    times.push(await add());
    await delay(PAUSE_MS);
  }
  return times;
}

function middleMean(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(values.length >> 2, -(values.length >> 2));
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
