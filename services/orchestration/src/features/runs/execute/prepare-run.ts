import { errorFields } from '@switchyard/server';
import type {
  AdapterOutcome,
  AdapterRun,
  AgentAdapter,
} from '../../../adapters/agents/agent-adapter';
import { createTextMask, type TextMask } from '../../../adapters/output-masking';
import { systemCall } from '../../../call';
import type { Context } from '../../../context';
import { findSession, rememberSession, storeUsage } from '../../../state/runs/agent-sessions';
import type { ClaimedRun } from '../../../state/runs/claim-run';
import { storeProcess } from '../../../state/runs/store-process';
import { wakesOf } from '../../../state/runs/wakes';
import { readRunFacts } from '../run-facts';
import { CannotStart, cannotStart } from './cannot-start';
import { createLogWriter } from './log-writer';
import { runEnvironment } from './run-environment';
import { openRepository, workingDirectory } from './working-directory';

/** A run that may begin: all that it needs is open until `close`. */
export interface PreparedRun {
  adapter: AgentAdapter;
  input: AdapterRun<unknown>;
  /** Hides the run's secrets in what an adapter says. */
  mask: TextMask;
  /** Stores what is left of the output and the usage, and removes what the run left empty. */
  close(): Promise<void>;
}

/** Opens what a run needs, step by step; the first that fails is how the run ends, and what was opened is closed. */
export async function prepareRun(
  context: Context,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<PreparedRun | { failure: AdapterOutcome }> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closers) await each();
  };
  let mask: TextMask = (text) => text;
  try {
    const { adapter, config } = configuredAdapter(context, run);
    const environment = await runEnvironment(context, run, config);
    const repository = await openRepository(context, adapter.isRemote ? null : run);
    const secrets = [...environment.secrets, ...repository.secrets];
    mask = createTextMask(secrets);
    const { db } = context;
    const onError = (error: unknown) =>
      context.logger.warn('output or usage of a run was not stored', errorFields(error));
    const { maxRunLogBytes: maxBytes } = context.config;
    const log = createLogWriter(db, run, { secrets, maxBytes, onError });
    closers.push(log.end);
    const onStarted: AdapterRun<unknown>['onStarted'] = (identity) =>
      storeProcess(db, run, identity);
    const session = adapter.keepsSessions ? await findSession(db, run, adapter.type) : null;
    const say = (line: string) => log.write(Buffer.from(line));
    const preparation = { signal, onStarted, say };
    const place = { config, repository, session };
    const directory = await workingDirectory(context, run, place, preparation);
    const conversation = openConversation(context, run, {
      adapter,
      session,
      directory,
      mask,
      onError,
    });
    closers.push(conversation.stored, directory.tidy);
    const { id: runId, companyId, agentId } = run;
    const wakes = wakesOf(run);
    const input: AdapterRun<unknown> = {
      runId,
      companyId,
      agentId,
      config,
      epoch: run.epoch,
      environment: environment.variables,
      signingSecret: environment.signingSecret,
      workingDirectory: directory.path,
      signal,
      onOutput: log.write,
      onUsage: conversation.onUsage,
      wakes,
      facts: () => readRunFacts(db, { ...run, wakes }),
      session,
      onSession: conversation.onSession,
      onStarted,
    };
    return { adapter, input, mask, close };
  } catch (error) {
    await close();
    if (error instanceof CannotStart) return { failure: maskOutcome(mask, error.outcome) };
    throw maskError(mask, error);
  }
}

/** The adapter of a run and its configuration. @throws CannotStart when it does not fit */
export function configuredAdapter(
  { adapters }: Pick<Context, 'adapters'>,
  { adapterType, adapterConfig }: Pick<ClaimedRun, 'adapterType' | 'adapterConfig'>,
) {
  const adapter = adapters.get(adapterType);
  const parsed = adapter?.configSchema.safeParse(adapterConfig);
  if (adapter && parsed?.success) {
    return { adapter, config: parsed.data as Record<string, unknown> };
  }
  throw cannotStart('bad_config', `the configuration does not fit the adapter ${adapterType}`);
}

/** Stores the conversation that the run holds and what it used, one after the other and in order. */
function openConversation(
  context: Context,
  run: ClaimedRun,
  open: {
    adapter: AgentAdapter;
    session: AdapterRun<unknown>['session'];
    directory: { path: string };
    mask: TextMask;
    onError(error: unknown): void;
  },
) {
  const { type } = open.adapter;
  const call = systemCall(context, run.companyId);
  let held = open.session?.id ?? null;
  let written: Promise<unknown> = Promise.resolve();
  const store = (write: () => Promise<unknown>) => {
    written = written.then(write).catch(open.onError);
  };
  const onUsage: AdapterRun<unknown>['onUsage'] = (usage) => {
    // The agent chose these words, and they are stored with the cost event.
    const { provider, model } = usage;
    const masked = { ...usage, provider: open.mask(provider), model: open.mask(model) };
    const of = held;
    store(() => storeUsage(call, run, type, masked, of));
  };
  const onSession = (id: string) => {
    held = id;
    store(() => rememberSession(call.db, run, type, { id, directory: open.directory.path }));
  };
  return { onUsage, onSession, stored: () => written };
}

/** What an adapter says of a failure may repeat a value that it was given. */
export function maskOutcome(mask: TextMask, outcome: AdapterOutcome): AdapterOutcome {
  return 'error' in outcome ? { ...outcome, error: mask(outcome.error) } : outcome;
}

/** An error like the one that was thrown, for the log and the run's end. */
export function maskError(mask: TextMask, error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(mask(message)), { stack: mask(stack ?? '') });
}
