import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Loop, repeat } from '@switchyard/async';
import { removeLeftTemporaryFolders } from '@switchyard/sandbox';
import { logRepeated } from '@switchyard/server/log-repeated';
import { errorFields, type Logger } from '@switchyard/server/logger';
import type { RunnerHelloBody, RunnerNextBody, RunnerWelcome, RunnerWork } from '@switchyard/types';
import type { AdapterExecution } from './agents/agent-adapter';
import { probePrograms } from './agents/probe-programs';
import { endProcesses } from './agents/processes/end-processes';
import { openChecks } from './checks';
import type { CheckParts } from './execute/check-agent';
import type { TestedPlaces } from './execute/check-workspace';
import { type Execution, executeRun } from './execute/execute-run';
import type { RunNetworkParts } from './execute/open-run-network';
import type { Places } from './execute/working-directory';
import { createHeldRuns, type HeldRuns } from './held-runs';
import { openJournal } from './processes/journal';
import { failureFields, OutdatedServer, type Refused } from './protocol/request';
import { retryUntilAccepted } from './protocol/retry-until-accepted';
import { openRunProtocol } from './protocol/run-protocol';
import { pruneFolders } from './prune-folders';
import { renewLeases } from './renew-leases';
import { takeWork, type WorkIntake } from './take-work';
import { type readDisk, watchRoom } from './watch-room';

export interface RunnerOptions extends CheckParts {
  places: Places & TestedPlaces;
  runNetwork: RunNetworkParts;
  dollars: Execution['dollars'];
  server: { url: string; token: string };
  name: string;
  labels: string[];
  capacity: number;
  sandbox: RunnerHelloBody['sandbox'];
  logger: Logger;
  adapters(): readonly AdapterExecution[];
  onFault(error: unknown): void;
  readDisk?: typeof readDisk;
}

export interface DrainDeadlines {
  /** Time in ms in which running work may finish by itself. */
  handOverAfterMs: number;
  /** Time in ms after which a stopped agent is killed, regardless of its grace period. */
  killAfterMs: number;
  isFault?: boolean;
}

export interface Runner {
  instance: string;
  problem(): string | null;
  busy(): number;
  close(deadlines: DrainDeadlines): Promise<void>;
}

const WAIT_FOR_CHECKS_MS = 1_000;

const HELLO_EVERY_MS = 60_000;

/**
 * Fetches and executes runs. First ends the processes that a killed runner of the same name left.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { logger, onFault } = options;
  const instance = randomUUID();
  const journal = await openJournal(journalFolder(options));
  const cleaning = removeLeftTemporaryFolders().catch((error: unknown) =>
    logger.warn('temporary folders of a killed runner could not be removed', errorFields(error)),
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
    const capacity = takesWork() ? options.capacity : 1;
    const body = { name, instance, labels, capacity, sandbox, probes };
    try {
      const welcome = await protocol.hello(body);
      isOutdated = false;
      return welcome;
    } catch (error) {
      // `OutdatedServer` also occurs after a rollback of the server. The runner then continues its
      // runs, but takes no new ones.
      if (error instanceof OutdatedServer) isOutdated = true;
      throw error;
    }
  };
  const register = async (): Promise<RunnerWelcome> => {
    const welcome = await retryUntilAccepted(hello, ending.signal, (error) =>
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
  const registerAgain = (): Promise<unknown> =>
    register().catch((error: unknown) => {
      if (!ending.signal.aborted)
        logRepeated(logger, 'warn', 'the server refuses this runner', failureFields(error));
    });
  const onUnknown = async (): Promise<void> => {
    isKnown = false;
    await registerAgain();
  };
  const onReplaced = (refused: Refused): void => {
    for (const run of runs.all()) run.abort('lost');
    onFault(refused);
  };
  const onRoom = () => intake?.freed();
  const room = await watchRoom(options.places.dataDir, logger, onRoom, options.readDisk);
  let seq = 0;
  const request = (waitMs: number): RunnerNextBody => {
    const running = runs.all().map(({ claim }) => claim.runId);
    const free = Math.max(0, options.capacity - running.length);
    const takes = canTake() ? { free, checks: checks.free() } : { free: 0, checks: 0 };
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
    const { leaseMs, heartbeatMs } = await register();
    logger.info('runner is ready', { name: options.name, instance, capacity: options.capacity });
    const known = { protocol, logger, onReplaced };
    const onMissing = () => registering.runNow();
    leases = renewLeases({ ...known, instance, runs, leaseMs, heartbeatMs, onUnknown: onMissing });
    if (!stopping.signal.aborted) intake = takeWork({ ...known, request, take, onUnknown });
  };
  const begun = begin().catch((error: unknown) => {
    if (!ending.signal.aborted) onFault(error);
  });
  const registering = repeat(
    async () => {
      await registerAgain();
      return HELLO_EVERY_MS;
    },
    { firstMs: HELLO_EVERY_MS },
  );

  const pruning = pruneFolders(options.places.dataDir, { protocol, logger });

  return {
    instance,
    problem: () => {
      if (stopping.signal.aborted) return 'the runner is stopping';
      if (!isKnown) return 'the runner is not registered with the server';
      if (isOutdated) return 'the server uses an earlier version of the runner protocol';
      return room.isEnough() ? null : 'the disk of DATA_DIR is full';
    },
    busy: () => runs.all().length,
    close: async (deadlines) => {
      stopping.abort();
      registering.runNow();
      await intake?.close();
      // Requests no work, so that the server immediately takes back the work of an abandoned
      // response.
      if (intake)
        await protocol
          .next({ ...request(0), free: 0, checks: 0 }, ending.signal)
          .catch(() => undefined);
      await Promise.all([drain(runs, deadlines), checks.ended()]);
      ending.abort();
      await Promise.all([begun, registering.close(), pruning.close(), room.close(), cleaning]);
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
  await runs.ended();
  clearTimeout(handOver);
  clearTimeout(kill);
}
