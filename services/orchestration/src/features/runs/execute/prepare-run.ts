import type {
  AdapterOutcome,
  AdapterRun,
  AgentAdapter,
  KnownAdapter,
} from '@switchyard/runner/agents/agent-adapter';
import { createTextMask, type TextMask } from '@switchyard/runner/masking/output-masking';
import { errorFields } from '@switchyard/server';
import { systemCall } from '../../../kernel/call';
import type { Context } from '../../../kernel/context';
import { storeUsage } from '../../../state/costs/record-usage';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { wakesOf } from '../../../state/runs/wakes';
import { readRunFacts } from '../run-facts';
import { CannotStart, cannotStart } from './cannot-start';
import { createLogWriter } from './log-writer';
import { runEnvironment } from './run-environment';

export interface PreparedRun {
  adapter: AgentAdapter;
  input: AdapterRun<unknown>;
  mask: TextMask;
  close(): Promise<void>;
}

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
    const { adapter: known, config } = configuredAdapter(context, run);
    const adapter = executed(known);
    const environment = await runEnvironment(context, run, config);
    const { secrets } = environment;
    mask = createTextMask(secrets);
    const { db } = context;
    const onError = (error: unknown) =>
      context.logger.warn('the output or usage of a run could not be stored', errorFields(error));
    const { maxRunLogBytes: maxBytes } = context.config;
    const log = createLogWriter(db, run, { secrets, maxBytes, onError });
    closers.push(log.end);
    const usage = openUsage(context, run, { adapter, mask, onError });
    closers.push(usage.stored);
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
      workingDirectory: '',
      signal,
      onOutput: log.write,
      onUsage: usage.onUsage,
      wakes,
      facts: () => readRunFacts(db, { ...run, wakes }),
      session: null,
      onSession: () => undefined,
      onStarted: async () => undefined,
    };
    return { adapter, input, mask, close };
  } catch (error) {
    await close();
    if (error instanceof CannotStart) return { failure: maskOutcome(mask, error.outcome) };
    throw maskError(mask, error);
  }
}

export function configuredAdapter(
  { adapters }: Pick<Context, 'adapters'>,
  { adapterType, adapterConfig }: Pick<ClaimedRun, 'adapterType' | 'adapterConfig'>,
) {
  const adapter = adapters.get(adapterType);
  const parsed = adapter?.configSchema.safeParse(adapterConfig);
  if (adapter && parsed?.success) {
    return { adapter, config: parsed.data as Record<string, unknown> };
  }
  throw cannotStart('bad_config', `the configuration is not valid for the adapter ${adapterType}`);
}

function executed(adapter: KnownAdapter): AgentAdapter {
  const { run } = adapter;
  if (run) return { ...adapter, run };
  throw cannotStart('bad_config', `only a runner can execute the adapter ${adapter.type}`);
}

function openUsage(
  context: Context,
  run: ClaimedRun,
  open: { adapter: AgentAdapter; mask: TextMask; onError(error: unknown): void },
) {
  const call = systemCall(context, run.companyId);
  let written: Promise<unknown> = Promise.resolve();
  const onUsage: AdapterRun<unknown>['onUsage'] = (usage) => {
    const { provider, model } = usage;
    const masked = { ...usage, provider: open.mask(provider), model: open.mask(model) };
    written = written
      .then(() => storeUsage(call, run, open.adapter.type, masked, null))
      .catch(open.onError);
  };
  return { onUsage, stored: () => written };
}

export function maskOutcome(mask: TextMask, outcome: AdapterOutcome): AdapterOutcome {
  return 'error' in outcome ? { ...outcome, error: mask(outcome.error) } : outcome;
}

export function maskError(mask: TextMask, error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(mask(message)), { stack: mask(stack ?? '') });
}
