import { errorFields, type Logger } from '@switchyard/server/logger';
import type { RunAssignment } from '@switchyard/types';
import type { AdapterExecution, AdapterOutcome, AdapterRun } from '../agents/agent-adapter';
import type { ModelUse } from '../agents/coding-agents/tool-event';
import { createMaskedLog } from '../agents/output/masked-log';
import { endProcesses } from '../agents/processes/end-processes';
import type { GatewaySettings } from '../gateway/gateway-settings';
import type { HeldRun } from '../held-runs';
import { createTextMask, type TextMask } from '../masking/output-masking';
import type { Journal } from '../processes/journal';
import type { RunProtocol } from '../protocol/run-protocol';
import { CannotStart, cannotStart } from './cannot-start';
import { openRunNetwork, type RunNetworkParts } from './open-run-network';
import { priceProviderUses } from './price-provider-uses';
import { reportConversation } from './report-conversation';
import { reserveCalls } from './reserve-calls';
import { type RunResult, settleRun } from './settle-run';
import { shipLog } from './ship-log';
import { type Places, workingDirectory } from './working-directory';

export interface Execution {
  protocol: RunProtocol;
  journal: Journal;
  logger: Logger;
  places: Places;
  runNetwork: RunNetworkParts;
  dollars(use: ModelUse): number | null;
  adapterOf(type: string): AdapterExecution | undefined;
}

export async function executeRun(
  execution: Execution,
  { runId, spec }: RunAssignment,
  run: HeldRun,
): Promise<void> {
  const { protocol, logger } = execution;
  const fields = { runId, agentId: spec.agentId, companyId: spec.companyId };
  logger.info('run started', { ...fields, attempt: spec.attempt });
  try {
    const outcome = await attempt(execution, spec, run).catch((error: unknown) =>
      unexpected(logger, error),
    );
    await settleRun(protocol, run, outcome);
    logger.debug('run settled', { ...fields, status: outcome.status, reason: run.abortReason() });
  } catch (error) {
    if (run.isLost.aborted) return logger.info('another claim holds the run now', fields);
    logger.error('the end of a run could not be stored', { ...fields, ...errorFields(error) });
  }
}

type Spec = RunAssignment['spec'];

function addedKeys(
  { providers, collector }: GatewaySettings,
  { repositoryCredential: credential }: Spec,
): string[] {
  // Removes a header's scheme (e.g. Bearer) and a credential's user name, because masking needs the
  // plain key.
  const values = [
    ...Object.values(providers).map(({ value }) => value),
    ...Object.values(collector?.headers ?? {}),
  ];
  const keys = values.map((value) => value.split(' ').at(-1) as string);
  return credential === null ? keys : [...keys, credential, credential.replace(/^[^:]*:/, '')];
}

async function attempt(execution: Execution, spec: Spec, run: HeldRun): Promise<RunResult> {
  const { runId } = run.claim;
  const secrets = [...spec.secrets, ...addedKeys(execution.runNetwork.gateway, spec)];
  const mask = createTextMask(secrets);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const adapter = execution.adapterOf(spec.adapterType);
    if (!adapter) {
      const text = `this runner cannot execute the adapter ${spec.adapterType}`;
      throw cannotStart('bad_config', text);
    }
    const token = spec.environment.SERVICE_API_KEY ?? run.claim.ticket;
    const entry = await execution.journal.open({ runId, token });
    closers.unshift(entry.close);
    if (run.claim.epoch > 1) await endEarlierClaims(runId, token);
    const { protocol, logger } = execution;
    const shipment = shipLog(run, { protocol, logger, offset: spec.logBytes });
    const limits = { secrets, maxBytes: spec.maxLogBytes, logBytes: spec.logBytes };
    const log = createMaskedLog(limits, shipment.add);
    closers.unshift(() => {
      log.end();
      return shipment.end();
    });
    const { signal } = run;
    const onStarted = entry.started;
    const logLine = (line: string) => log.write(Buffer.from(line));
    const preparation = { signal, onStarted, logLine };
    const directory = await workingDirectory(execution.places, runId, spec, preparation);
    closers.unshift(directory.tidy);
    const conversation = reportConversation(run, {
      protocol,
      logger,
      mask,
      session: spec.session,
      directory: directory.path,
    });
    closers.unshift(conversation.stored);
    const { dollars } = execution;
    const uses = priceProviderUses({ dollars, logLine });
    closers.unshift(async () => uses.end());
    const calls = reserveCalls(run, { protocol, dollars, uses, mask, logger, logLine });
    closers.unshift(calls.settled);
    const network = await openRunNetwork(execution.runNetwork, { id: runId, token }, spec, {
      logLine,
      reserve: calls.reserve,
    });
    closers.unshift(network.close);
    const input: AdapterRun<unknown> = {
      runId,
      companyId: spec.companyId,
      agentId: spec.agentId,
      config: spec.config,
      epoch: run.claim.epoch,
      environment: { ...spec.environment, ...apiOf(network.variables) },
      ownVariables: network.variables,
      network: network.network,
      signingSecret: null,
      workingDirectory: directory.path,
      readOnly: directory.readOnly,
      signal,
      onOutput: log.write,
      backlog: shipment.backlog,
      onUsage: (usage) => {
        if (!network.hasCalled(usage.provider)) conversation.onUsage(usage);
      },
      wakes: spec.wakes,
      facts: async () => factsOf(spec),
      session: spec.session,
      onSession: conversation.onSession,
      onStarted,
    };
    const outcome = withReason(await adapter.run(input), log.lastErrorLine());
    return pausedBy(calls.refusal(), maskOutcome(mask, outcome));
  } catch (error) {
    if (error instanceof CannotStart) return maskOutcome(mask, error.outcome);
    throw maskError(mask, error);
  } finally {
    for (const close of closers) await close();
  }
}

function pausedBy(refusal: string | null, outcome: AdapterOutcome): RunResult {
  if (refusal === null) return outcome;
  if (outcome.status !== 'failed' && outcome.status !== 'timed_out') return outcome;
  return { status: 'paused', exitCode: outcome.exitCode, error: refusal };
}

function withReason(outcome: AdapterOutcome, line: string | null): AdapterOutcome {
  const isExit = outcome.status === 'failed' && outcome.errorCode === 'adapter_exit';
  return isExit && line !== null ? { ...outcome, error: `${outcome.error}: ${line}` } : outcome;
}

async function endEarlierClaims(runId: string, token: string): Promise<void> {
  const isOfClaim = (other: string) => other !== token;
  await endProcesses({ runId, identity: null, isOfClaim, graceMs: ORPHAN_GRACE_MS });
}

const ORPHAN_GRACE_MS = 500;

const apiOf = ({ SERVICE_API_URL }: Record<string, string>): Record<string, string> =>
  SERVICE_API_URL === undefined ? {} : { SERVICE_API_URL };

function factsOf({ facts }: Spec) {
  if (!facts) throw new Error('the server sent no data for the prompt');
  return facts;
}

function maskOutcome(mask: TextMask, outcome: AdapterOutcome): AdapterOutcome {
  return 'error' in outcome ? { ...outcome, error: mask(outcome.error) } : outcome;
}

function maskError(mask: TextMask, error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(mask(message)), { stack: mask(stack ?? '') });
}

function unexpected(logger: Logger, error: unknown): AdapterOutcome {
  logger.error('the adapter failed unexpectedly', errorFields(error));
  const text = (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
  const errorCode = 'adapter_error';
  return { status: 'failed', exitCode: null, errorCode, error: text, transient: false };
}
