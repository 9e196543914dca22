import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Loop, repeat } from '@switchyard/async';
import { removeLeftTemporaryFolders } from '@switchyard/sandbox';
import { logRepeated } from '@switchyard/server/log-repeated';
import { errorFields, type Logger } from '@switchyard/server/logger';
import type { RunnerHelloBody, RunnerNextBody, RunnerWelcome, RunnerWork } from '@switchyard/types';
import type { AdapterExecution } from '../adapters/agents/agent-adapter';
import { probePrograms } from '../adapters/agents/probe-programs';
import { endProcesses } from '../adapters/agents/processes/end-processes';
import { openChecks } from './checks';
import type { CheckParts } from './execute/check-agent';
import type { TestedPlaces } from './execute/check-workspace';
import { type Execution, executeRun } from './execute/execute-run';
import type { WayOutParts } from './execute/open-way-out';
import type { Places } from './execute/working-directory';
import { createHeldRuns, type HeldRuns } from './held-runs';
import { openJournal } from './processes/journal';
import { failureFields, OutdatedServer, type Refused } from './protocol/request';
import { openRunProtocol } from './protocol/run-protocol';
import { untilTaken } from './protocol/until-taken';
import { pruneFolders } from './prune-folders';
import { renewLeases } from './renew-leases';
import { takeWork, type WorkIntake } from './take-work';
import { watchRoom } from './watch-room';

export interface RunnerOptions extends CheckParts {
  places: Places & TestedPlaces;
  wayOut: WayOutParts;
  dollars: Execution['dollars'];
  server: { url: string; token: string };
  name: string;
  labels: string[];
  capacity: number;
  sandbox: RunnerHelloBody['sandbox'];
  logger: Logger;
  adapters(): readonly AdapterExecution[];
  /** The runner cannot continue: refused by the server, or replaced by another of its name. */
  onFault(error: unknown): void;
}

export interface DrainDeadlines {
  /** Ms that running work may take to end by itself. */
  handOverAfterMs: number;
  /** Ms after which a stopped agent is killed, whatever its own grace. */
  killAfterMs: number;
  isFault?: boolean;
}

export interface Runner {
  instance: string;
  /** Null if it takes work. */
  problem(): string | null;
  busy(): number;
  /** Takes no new work, waits for running work, then hands the rest over. */
  close(deadlines: DrainDeadlines): Promise<void>;
}

/** Longest poll in ms while no check slot is free. */
const WAIT_FOR_CHECKS_MS = 1_000;

/** Interval for reporting what is installed. */
const HELLO_EVERY_MS = 60_000;

/** Pulls and executes runs. First ends what a killed runner of its name left behind. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { logger, onFault } = options;
  const instance = randomUUID();
  const journal = await openJournal(journalFolder(options));
  const cleaning = removeLeftTemporaryFolders().catch((error: unknown) =>
    logger.warn('temporary folders of a killed runner stay for now', errorFields(error)),
  );
  const protocol = openRunProtocol(options.server.url, options.server.token);
  const runs = createHeldRuns(() => intake?.freed());
  const execution: Execution = { ...options, protocol, journal };
  const stopping = new AbortController();
  const ending = new AbortController();
  const checks = openChecks(options, protocol, stopping.signal);
  let intake: WorkIntake | null = null;
  let leases: Loop | null = null;
  let isKnown = false;
  let isOutdated = false;

  const takesWork = () => !stopping.signal.aborted && canTake();
  const canTake = () => room.isEnough() && !isOutdated;
  const hello = async (): Promise<RunnerWelcome> => {
    const probes = await probePrograms(options.adapters());
    const { name, labels, sandbox } = options;
    // A runner that takes no work has no free place; the protocol's minimum is 1.
    const capacity = takesWork() ? options.capacity : 1;
    const body = { name, instance, labels, capacity, sandbox, probes };
    try {
      const welcome = await protocol.hello(body);
      isOutdated = false;
      return welcome;
    } catch (error) {
      // Also after a server's rollback: held runs continue, no new ones are taken.
      if (error instanceof OutdatedServer) isOutdated = true;
      throw error;
    }
  };
  const greet = async (): Promise<RunnerWelcome> => {
    const welcome = await untilTaken(hello, ending.signal, (error) =>
      logRepeated(
        logger,
        'warn',
        `cannot register with ${options.server.url}; retrying`,
        failureFields(error),
      ),
    );
    isKnown = true;
    return welcome;
  };
  const greetAgain = (): Promise<unknown> =>
    greet().catch((error: unknown) => {
      if (!ending.signal.aborted)
        logRepeated(logger, 'warn', 'the server refuses us', failureFields(error));
    });
  const onUnknown = async (): Promise<void> => {
    isKnown = false;
    await greetAgain();
  };
  const onReplaced = (refused: Refused): void => {
    for (const run of runs.all()) run.abort('lost');
    onFault(refused);
  };
  const room = await watchRoom(options.places.dataDir, logger, () => intake?.freed());
  let seq = 0;
  const request = (waitMs: number): RunnerNextBody => {
    const running = runs.all().map(({ claim }) => claim.runId);
    const free = Math.max(0, options.capacity - running.length);
    const takes = canTake() ? { free, checks: checks.free() } : { free: 0, checks: 0 };
    // A caller waits only a few seconds for its check.
    const wait = checks.free() === 0 ? Math.min(waitMs, WAIT_FOR_CHECKS_MS) : waitMs;
    return { instance, seq: ++seq, ...takes, running, waitMs: wait };
  };
  const take = (work: RunnerWork): void => {
    for (const assignment of work.runs) {
      runs.hold(assignment, (run) => executeRun(execution, assignment, run));
    }
    for (const assignment of work.checks) checks.begin(assignment);
  };

  const begin = async (): Promise<void> => {
    const { leaseMs, heartbeatMs } = await greet();
    logger.info('runner is ready', { name: options.name, instance, capacity: options.capacity });
    const known = { protocol, logger, onReplaced };
    const onMissing = () => greeting.runNow();
    leases = renewLeases({ ...known, instance, runs, leaseMs, heartbeatMs, onUnknown: onMissing });
    if (!stopping.signal.aborted) intake = takeWork({ ...known, request, take, onUnknown });
  };
  const begun = begin().catch((error: unknown) => {
    if (!ending.signal.aborted) onFault(error);
  });
  const greeting = repeat(
    async () => {
      await greetAgain();
      return HELLO_EVERY_MS;
    },
    { firstMs: HELLO_EVERY_MS },
  );

  const pruning = pruneFolders(options.places.dataDir, { protocol, logger });

  return {
    instance,
    problem: () => {
      if (stopping.signal.aborted) return 'the runner is stopping';
      if (!isKnown) return 'the server does not know this runner';
      if (isOutdated) return 'the server speaks an earlier version of the runner protocol';
      return room.isEnough() ? null : 'the disk of DATA_DIR is full';
    },
    busy: () => runs.all().length,
    close: async (deadlines) => {
      stopping.abort();
      greeting.runNow();
      await intake?.close();
      // Work of an abandoned response is returned at once.
      if (intake)
        await protocol
          .next({ ...request(0), free: 0, checks: 0 }, ending.signal)
          .catch(() => undefined);
      await Promise.all([drain(runs, deadlines), checks.ended()]);
      ending.abort();
      await Promise.all([begun, greeting.close(), pruning.close(), room.close(), cleaning]);
      await leases?.close();
      protocol.close();
      await journal.close();
    },
  };
}

const journalFolder = ({ places, name }: Pick<RunnerOptions, 'places' | 'name'>) =>
  join(places.dataDir, 'runner', encodeURIComponent(name));

export async function drain(
  runs: HeldRuns,
  { handOverAfterMs, killAfterMs, isFault }: DrainDeadlines,
): Promise<void> {
  const handOver = setTimeout(() => {
    for (const run of runs.all()) run.abort(isFault ? 'given_up' : 'handed_over');
  }, handOverAfterMs);
  const kill = setTimeout(() => {
    for (const { claim } of runs.all()) {
      const all = { runId: claim.runId, identity: null, graceMs: 0 };
      void endProcesses(all).catch(() => undefined);
    }
  }, killAfterMs);
  await runs.none();
  clearTimeout(handOver);
  clearTimeout(kill);
}
