import path from 'node:path';
import { say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { buildProjects } from '@switchyard/launcher/commands/build';
import { migrate } from '@switchyard/launcher/migrate';
import { freePort } from '@switchyard/launcher/ports';
import { createDatabase, urlOf } from '@switchyard/launcher/postgres/client';
import { startPostgres } from '@switchyard/launcher/postgres/start';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { PROJECTS } from '@switchyard/launcher/services/definitions';
import { makeTemporaryPlaces, provideServers } from '@switchyard/launcher/temporary-servers';
import { type Job, program, trials } from './job.js';
import { rehearse } from './rehearsals/metrics-service/stages.js';
import { rehearseMutants } from './rehearsals/mutants.js';
import { rehearsePlants } from './rehearsals/plants.js';
import { rehearseRestore } from './rehearsals/restore.js';
import { rehearseRunner } from './rehearsals/runner.js';
import { rehearseStorm } from './rehearsals/storm.js';
import { rehearseUpgrade } from './rehearsals/upgrade.js';

export const REHEARSALS: Record<string, Job> = {
  agents: {
    does: 'Claude Code, Codex and OpenCode against a scripted provider',
    run: trials('**/lab/trials/coding-agents/*.rehearsal.ts'),
  },
  compose: {
    does: 'images and docker-compose.yml [commit of the previous release]',
    run: program('packages/lab/rehearse/compose/rehearse.mjs'),
  },
  'exchange-sim': {
    does: 'serves a simulated exchange until it is stopped [binance] [port]',
    run: program('packages/testing/dist/exchange-sim/main.js', ['packages/testing']),
  },
  'fill-faults': {
    does: 'a month of trading with hidden, doubled and mislabelled fills',
    run: trials('**/lab/trials/metrics/fill-faults.rehearsal.ts'),
  },
  fuzz: {
    does: 'random requests to both services, judged by their documents [requests] [seed]',
    run: rehearseFuzz,
  },
  'hostile-container': {
    does: 'a hostile agent in a container and in a run pod',
    run: trials('**/lab/trials/hostile/{container,run-pod}.rehearsal.ts'),
  },
  'hostile-neighbours': {
    does: 'a company that exhausts a runner, next to one that works',
    run: trials('**/lab/trials/hostile/neighbours.rehearsal.ts'),
  },
  kubernetes: {
    does: 'every pod of single-node, started by podman',
    run: program('packages/lab/rehearse/kubernetes/rehearse.mjs'),
  },
  mcp: {
    does: "the protocol's conformance suite at /mcp [CONFORMANCE_NODE=<Node 22 or newer>]",
    run: trials('**/lab/trials/mcp/*.rehearsal.ts'),
  },
  limits: {
    does: 'a day of collections from each exchange within its published limits',
    run: trials('**/lab/trials/metrics/limits.rehearsal.ts'),
  },
  metrics: {
    does: 'outage, crash, speed and memory of the metrics service [collections]',
    run: rehearseMetrics,
  },
  month: {
    does: 'a month of trading, observed by the metrics service',
    run: trials('**/lab/trials/month/*.rehearsal.ts'),
  },
  mutants: {
    does: 'changed conditions that the tests must find [part]',
    run: rehearseMutants,
  },
  newcomer: {
    does: 'first uses with only the documents',
    run: trials(
      '**/{paste,agent-examples,agents-elsewhere,routines-document,client-package,mistakes,agent-manual}{,.system}.test.ts',
      '**/lab/trials/{newcomer,n8n}/*.rehearsal.ts',
      '**/lab/trials/coding-agents/claude.rehearsal.ts',
    ),
  },
  plants: {
    does: 'planted bugs, each found by its test [beginning of a name]',
    run: rehearsePlants,
  },
  pods: {
    does: 'run pods whose workers are killed, and one in podman',
    run: trials('**/lab/trials/pods/*.rehearsal.ts'),
  },
  restore: { does: 'backup and restore of a demonstration', run: rehearseRestore },
  rollout: {
    does: 'processes replaced under load [rounds] [seconds of a long run]',
    run: rehearseRollout,
  },
  'rollout-pods': {
    does: 'processes replaced under load while each run has a pod',
    run: trials('**/lab/trials/rollout/*.rehearsal.ts'),
  },
  runner: {
    does: 'runs outlive restarts of worker, API and PostgreSQL [restarts] [agents] [seconds]',
    run: rehearseRunner,
  },
  'runner-image': {
    does: 'the coding agents in the image of the runner',
    run: trials('**/lab/trials/runner-image/*.rehearsal.ts'),
  },
  simulation: {
    does: 'random requests and faults on a virtual clock [seeds] [first seed]; shrinks a single seed',
    run: rehearseSimulation,
  },
  spend: {
    does: 'a spending cap during faults, compared with what the provider bills [runs] [seed]',
    run: rehearseSpend,
  },
  storm: {
    does: 'random requests during faults of every process [seed] [faults]',
    run: rehearseStorm,
  },
  upgrade: {
    does: "the tests of an older commit on this commit's schema [tag or commit]",
    run: rehearseUpgrade,
  },
  workflows: {
    does: 'the sample workflows in a real n8n',
    run: trials('**/lab/trials/n8n/*.rehearsal.ts'),
  },
};

/** `npm run rehearse -- metrics [collections of the soak, default 1000]` */
async function rehearseMetrics(
  life: Lifecycle,
  root: string,
  [soak = '1000']: string[],
): Promise<number> {
  await buildProjects(root, ['services/metrics'], life.stop);
  const where = { root, env: process.env, ...makeTemporaryPlaces(life) };
  const server = await startPostgres(life, where, { durable: true });
  await createDatabase(urlOf(server), 'metrics');
  const url = urlOf(server, 'metrics');
  await migrate(root, { metrics: { runner: { DATABASE_URL: url } } }, life.stop);
  const isGood = await rehearse({
    root,
    database: { url, stop: server.stop, start: async () => server.restart() },
    port: await freePort(),
    soak: Number(soak),
    say,
    onEnd: (end: () => unknown) => life.onEnd(end),
  });
  return isGood ? 0 : 1;
}

/** Simulated companies take about 20 MB each, which a process keeps. */
const SEEDS_PER_PROCESS = 40;

async function rehearseSimulation(
  life: Lifecycle,
  root: string,
  [seeds = '200', first = '1']: string[],
): Promise<number> {
  const end = Number(first) + Number(seeds);
  if (!(end > Number(first))) {
    throw new UserError('The number of seeds and the first seed must be numbers.', 'Correct them.');
  }
  for (let seed = Number(first); seed < end; seed += SEEDS_PER_PROCESS) {
    process.env.SIMULATION_SEED = String(seed);
    process.env.SIMULATION_SEEDS = String(Math.min(SEEDS_PER_PROCESS, end - seed));
    const code = (await trials('**/simulation/simulation.system.test.ts')(life, root, [])) ?? 1;
    if (code !== 0) return code;
  }
  return 0;
}

async function rehearseFuzz(
  life: Lifecycle,
  root: string,
  [requests = '200000', seed = '1']: string[],
): Promise<number> {
  process.env.FUZZ_REQUESTS = requests;
  process.env.FUZZ_SEED = seed;
  return (await trials('**/lab/trials/fuzz/*.rehearsal.ts')(life, root, [])) ?? 1;
}

async function rehearseSpend(
  life: Lifecycle,
  root: string,
  [runs = '1000', seed = '1']: string[],
): Promise<number> {
  process.env.SPEND_RUNS = runs;
  process.env.SPEND_SEED = seed;
  return (await trials('**/lab/trials/spend/*.rehearsal.ts')(life, root, [])) ?? 1;
}

async function rehearseRollout(
  life: Lifecycle,
  root: string,
  [rounds = '1', longSec = '300']: string[],
): Promise<number> {
  const { database, redis } = await provideServers(life, root, () =>
    buildProjects(root, PROJECTS, life.stop),
  );
  const { rehearse } = await import(path.join(root, 'packages/lab/rehearse/rollout/rehearse.mjs'));
  const servers = { database, redis };
  const times = { rounds: Number(rounds), longSec: Number(longSec) };
  return (await rehearse({ root, servers, ...times })) ? 0 : 1;
}
