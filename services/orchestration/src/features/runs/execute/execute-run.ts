import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { errorFields, isPassingFault, tracing, withLogContext } from '@switchyard/server';
import type { AdapterOutcome, AdapterRun } from '../../../adapters/agents/agent-adapter';
import { createTextMask } from '../../../adapters/output-masking';
import { systemCall } from '../../../call';
import type { Context } from '../../../context';
import type { ClaimedRun } from '../claim/claim-run';
import { endLostProcesses } from '../claim/end-lost-processes';
import type { Leases, TrackedRun } from '../claim/leases';
import type { RunEnd } from '../end/end-run';
import { finishRun } from '../end/finish-run';
import { handOverRun } from '../end/hand-over-run';
import { createLogWriter } from '../log/log-writer';
import { readRunFacts } from '../run-facts';
import { findSession, rememberSession, sessionFolder, storeUsage } from './agent-sessions';
import { maskError, maskOutcome, maskUsage } from './mask-outcome';
import { primaryWorkspace } from './primary-workspace';
import { runEnvironment } from './run-environment';
import { repositoryCredential, workingDirectory } from './working-directory';

const STORE_PROCESS = `
  UPDATE heartbeat_run SET process_host = $3, process_pid = $4, process_started_at = $5
  WHERE id = $1::uuid AND epoch = $2 AND status = 'running'`;

/** Runs the adapter with everything it needs; answers how it ended. */
async function runAdapter(
  context: Context,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<AdapterOutcome> {
  const { config, db } = context;
  const agent = await db.prisma.agent.findUniqueOrThrow({ where: { id: run.agentId } });
  const adapter = context.adapters.get(agent.adapterType);
  const stored = agent.adapterConfig as Record<string, unknown>;
  const parsed = adapter?.configSchema.safeParse(stored);
  if (!adapter || !parsed?.success) {
    const error = `the configuration does not fit the adapter ${agent.adapterType}`;
    return { status: 'failed', exitCode: null, errorCode: 'bad_config', error, transient: false };
  }
  const adapterConfig = parsed.data as Record<string, unknown>;
  const environment = await runEnvironment(context, run, agent.adapterType, adapterConfig);
  if ('refusal' in environment) {
    return { status: 'failed', exitCode: null, transient: false, ...environment.refusal };
  }
  const workspace = adapter.isRemote ? null : await primaryWorkspace(db, run.issueId);
  const opened = await repositoryCredential(context, workspace);
  if ('refusal' in opened) return opened.refusal;
  const secrets = [...environment.secrets, ...opened.secrets];
  const mask = createTextMask(secrets);
  const onError = (error: unknown) =>
    context.logger.warn('output or usage of a run was not stored', errorFields(error));
  const log = createLogWriter(db, run, {
    secrets,
    maxBytes: config.maxRunLogBytes,
    onError,
  });
  const onStarted: AdapterRun<unknown>['onStarted'] = async ({ pid, startedAt }) => {
    const values = [run.id, run.epoch, hostname(), pid, startedAt];
    await db.rows('store-process', STORE_PROCESS, values);
  };
  const session = adapter.keepsSessions ? await findSession(db, run, adapter.type) : null;
  const directory = await workingDirectory(
    context,
    { id: run.id, companyId: run.companyId, agent },
    adapterConfig,
    workspace && { ...workspace, credential: opened.credential },
    { signal, onStarted, say: (line) => log.write(Buffer.from(line)) },
    sessionFolder(config, session),
  );
  if ('refusal' in directory) {
    await log.end();
    return maskOutcome(mask, directory.refusal);
  }
  let held = session?.id ?? null;
  let written: Promise<unknown> = Promise.resolve();
  const store = (write: () => Promise<unknown>) => {
    written = written.then(write).catch(onError);
  };
  const input: AdapterRun<unknown> = {
    runId: run.id,
    companyId: run.companyId,
    agentId: run.agentId,
    config: adapterConfig,
    environment: environment.variables,
    workingDirectory: directory.path,
    signal,
    onOutput: log.write,
    onUsage: (usage) => {
      const masked = maskUsage(mask, usage);
      const of = held;
      const call = systemCall(context, run.companyId);
      store(() => storeUsage(call, run, adapter.type, masked, of));
    },
    facts: () => readRunFacts(db, run),
    session,
    onSession: (id) => {
      held = id;
      store(() => rememberSession(db, run, adapter.type, { id, directory: directory.path }));
    },
    onStarted,
  };
  try {
    return maskOutcome(mask, await adapter.run(input));
  } catch (error) {
    throw maskError(mask, error);
  } finally {
    await log.end();
    await written;
    await directory.tidy();
  }
}

function endOf(outcome: AdapterOutcome): RunEnd {
  if (outcome.status === 'aborted') return { status: 'cancelled', exitCode: outcome.exitCode };
  return outcome;
}

async function settle(
  context: Context,
  run: ClaimedRun,
  tracked: TrackedRun,
  outcome: AdapterOutcome,
): Promise<void> {
  const reason = outcome.status === 'aborted' ? tracked.abortReason() : null;
  if (reason === 'lost') return void context.metrics.staleWrites.inc();
  if (reason === 'handed_over' || reason === 'given_up') {
    return handOverRun(context, run, { isFault: reason === 'given_up' });
  }
  const end = endOf(outcome);
  if (reason === 'cancelled') {
    const row = await context.db.prisma.heartbeatRun.findUniqueOrThrow({ where: { id: run.id } });
    end.errorCode = row.cancelReason ?? 'cancelled';
  }
  await finishRun(context, run, end);
}

const SETTLE_AGAIN_MS = 250;

/** A fault that passes must not throw a result away, nor have the work done twice, while the lease is ours. */
async function settleWhileHeld(
  context: Context,
  run: ClaimedRun,
  tracked: TrackedRun,
  outcome: AdapterOutcome,
): Promise<void> {
  for (;;) {
    try {
      return await settle(context, run, tracked, outcome);
    } catch (error) {
      if (tracked.abortReason() === 'lost' || !isPassingFault(error)) throw error;
      context.logger.warn('the end of a run is stored again', errorFields(error));
      await delay(SETTLE_AGAIN_MS);
    }
  }
}

/** An error of ours is how the run ended. */
function unexpected({ logger }: Context, error: unknown): AdapterOutcome {
  logger.error('adapter failed unexpectedly', errorFields(error));
  const text = (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
  const errorCode = 'adapter_error';
  return { status: 'failed', exitCode: null, errorCode, error: text, transient: false };
}

async function attempt(context: Context, run: ClaimedRun, tracked: TrackedRun): Promise<void> {
  const { logger, metrics } = context;
  const { agentId, source } = run;
  logger.info('run started', { agentId, attempt: run.attempt, source });
  try {
    if (run.epoch > 1) await endLostProcesses(run.id, run.previous);
    const observe = metrics.runDuration.startTimer();
    const outcome = await runAdapter(context, run, tracked.signal).catch((error: unknown) =>
      unexpected(context, error),
    );
    observe({ status: outcome.status });
    await settleWhileHeld(context, run, tracked, outcome);
    logger.info('run ended', { status: outcome.status, exitCode: outcome.exitCode });
  } catch (error) {
    logger.error('the end of a run could not be stored', errorFields(error));
  }
}

/**
 * One attempt of one claimed run, from its environment to its one terminal state. An error of ours ends
 * the run as failed; when not even that can be written, the lease runs out and another worker has it.
 */
export async function executeRun(context: Context, leases: Leases, run: ClaimedRun): Promise<void> {
  const { id: runId, companyId } = run;
  const { workerSlotsBusy } = context.metrics;
  const tracked = leases.track(run);
  workerSlotsBusy.inc();
  const attributes = { 'switchyard.run_id': runId, 'switchyard.agent_id': run.agentId };
  const correlationId = run.correlationId ?? runId;
  try {
    await withLogContext({ correlationId, runId, companyId }, () =>
      tracing().inSpan({ name: 'heartbeat run', kind: 'part', attributes }, () =>
        attempt(context, run, tracked),
      ),
    );
  } finally {
    tracked.release();
    workerSlotsBusy.dec();
  }
}
