import { randomUUID } from 'node:crypto';
import type { AdapterExecution } from '@switchyard/runner/agents/agent-adapter';
import type { RunNetworkParts } from '@switchyard/runner/execute/open-run-network';
import { createRunnerParts } from '@switchyard/runner/runner-parts';
import { startRunner } from '@switchyard/runner/start-runner';
import { listen } from '@switchyard/server';
import type { AdapterRegistry } from '../src/adapters/agents/adapter-registry';
import type { Config } from '../src/config';
import { startDiagnoses } from '../src/features/checks/run-diagnoses';
import { createWorkerApplication } from '../src/http/app';
import type { Context } from '../src/kernel/context';
import { startWorkers as startWorkersAlone, type Workers } from '../src/work/jobs';

export interface TestRunner {
  close(): Promise<void>;
}

export interface RunnerOptions {
  gateway?: RunNetworkParts['gateway'];
}

export async function startTestRunner(
  context: Context,
  { gateway = { allowedHosts: [], providers: {} } }: RunnerOptions = {},
): Promise<TestRunner> {
  const { config, logger } = context;
  const application = createWorkerApplication(context, () => false);
  const listener = await listen(application, '127.0.0.1', 0);
  const parts = createRunnerParts({ ...settingsOf(config), gateway });
  const executed = () => executedOf(context.adapters);
  const places = {
    ...parts.places,
    get workspaceRoots() {
      return config.repositories.workspaceRoots;
    },
  };
  const runner = await startRunner({
    ...parts,
    places,
    adapters: () => (executed().length > 0 ? executed() : parts.adapters()),
    adapterOf: (type) =>
      executed().find((adapter) => adapter.type === context.adapters.get(type)?.type) ??
      parts.adapterOf(type),
    server: { url: `http://127.0.0.1:${listener.port}`, token: config.runner.token ?? '' },
    name: `test-${randomUUID()}`,
    labels: [],
    capacity: 100,
    sandbox: { driver: 'off', detail: 'a test' },
    logger,
    onFault: (error) => {
      throw error;
    },
  });
  return {
    close: async () => {
      await runner.close({ handOverAfterMs: 0, killAfterMs: 2_000 });
      await listener.close(1_000);
    },
  };
}

export function startWorkers(context: Context): Workers {
  const workers = startWorkersAlone(context);
  const runner = startTestRunner(context);
  return {
    ...workers,
    close: async (deadlines) => {
      await (await runner).close();
      await workers.close(deadlines);
    },
  };
}

export function startChecks(context: Context): TestRunner {
  const noLonger = waitForTaker(context.config);
  const diagnoses = startDiagnoses({ ...context, config: { ...context.config, sweepMs: 20 } });
  const runner = startTestRunner(context);
  return {
    close: async () => {
      noLonger();
      await (await runner).close();
      await diagnoses.close();
    },
  };
}

export function waitForTaker({ checks }: Config): () => void {
  const { claimWithinMs } = checks;
  checks.claimWithinMs = 20_000;
  return () => {
    checks.claimWithinMs = claimWithinMs;
  };
}

export const executedOf = ({ all }: Pick<AdapterRegistry, 'all'>): AdapterExecution[] =>
  all.filter(
    (adapter): adapter is typeof adapter & AdapterExecution =>
      adapter.startsProcesses === true && adapter.run !== undefined,
  );

function settingsOf(config: Config) {
  const { dataDir, inherited, models, repositories, processAdapterCommands } = config;
  const { agentVariables, agentHomeFolders, sandbox } = config;
  const isAuthenticated = config.authMode === 'authenticated';
  return {
    dataDir,
    inherited,
    models,
    repositories,
    processAdapterCommands,
    agentVariables,
    agentHomeFolders,
    sandbox,
    isAuthenticated,
  };
}
