import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  commaSeparated,
  commonEnvironment,
  port,
  readEnvironment,
  wholeNumber,
} from '@switchyard/server/environment';
import { z } from 'zod';
import { commandEnvironment } from './agents/command/command-settings';
import {
  agentHomeEnvironment,
  agentHomeSettings,
  authenticatedAgentHomeEnvironment,
  type SharedEntry,
} from './agents/environment/agent-home-settings';
import {
  type AgentVariableSettings,
  agentVariableEnvironment,
  agentVariableSettings,
} from './agents/environment/agent-variable-settings';
import {
  type GatewaySettings,
  gatewayEnvironment,
  gatewaySettings,
} from './gateway/gateway-settings';
import { type ModelSettings, modelEnvironment, modelSettings } from './models/model-settings';
import { prometheusHosts } from './network/prometheus-hosts';
import {
  authenticatedRepositoryEnvironment,
  type RepositorySettings,
  repositoryEnvironment,
  repositorySettings,
} from './repositories/repository-settings';
import {
  type ConfinementSettings,
  sandboxEnvironment,
  sandboxSettings,
} from './sandbox/sandbox-settings';

export const runnerProgramEnvironment = {
  RUNNER_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s):// URL' })
    .describe('runner: address of the worker’s port, or PUBLIC_URL for a company’s runner'),
  RUNNER_NAME: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('runner: unique name of the runner; default: the host name'),
  RUNNER_LABELS: commaSeparated
    .default([])
    .describe(
      'labels that agents may require in `runnerLabels`; of run pods: set it for the worker',
    ),
  RUNNER_CONCURRENCY: wholeNumber(1, 1_000)
    .optional()
    .describe('concurrent runs per runner; default: WORKER_CONCURRENCY'),
  RUNNER_DRAIN_SEC: wholeNumber(0, 86_400)
    .default(3_600)
    .describe('runner: seconds that runs may take to finish when the runner stops'),
  RUNNER_PORT: port.default(3103).describe("port of the runner's probes and Prometheus page"),
};

const environment = z.object({
  LOG_LEVEL: commonEnvironment.LOG_LEVEL,
  LOG_FORMAT: commonEnvironment.LOG_FORMAT,
  NODE_ENV: commonEnvironment.NODE_ENV,
  HOST: commonEnvironment.HOST,
  AUTH_MODE: z.enum(['local_trusted', 'authenticated']).default('local_trusted'),
  PROMETHEUS_HOSTS: prometheusHosts,
  DATA_DIR: z.string().default('.data'),
  WORKER_CONCURRENCY: wholeNumber(1, 500).default(16),
  RUNNER_TOKEN: z.string().min(1),
  /**
   * Ticket of one run, instead of a token. Not an operator's setting, because the worker sets it in
   * run pods (`run-pod.ts`).
   */
  RUNNER_TICKET_FILE: z.string().optional(),
  ...runnerProgramEnvironment,
  ...commandEnvironment,
  ...gatewayEnvironment,
  ...agentVariableEnvironment,
  ...modelEnvironment,
  ...repositoryEnvironment,
  ...sandboxEnvironment,
  ...agentHomeEnvironment,
  PATH: z.string().optional(),
  HOME: z.string().optional(),
  LANG: z.string().optional(),
});
const withoutToken = { RUNNER_TOKEN: true } as const;
const authenticatedEnvironment = environment.extend({
  ...authenticatedRepositoryEnvironment,
  ...authenticatedAgentHomeEnvironment,
});

export interface RunnerProgramSettings {
  isAuthenticated: boolean;
  log: { level: string; format: 'json' | 'pretty' };
  host: string;
  port: number;
  prometheusHosts: string[];
  server: { url: string; token: string };
  ticketFile: string | null;
  name: string;
  labels: string[];
  capacity: number;
  drainMs: number;
  dataDir: string;
  processAdapterCommands: string[] | 'any';
  gateway: GatewaySettings;
  agentVariables: AgentVariableSettings;
  models: ModelSettings;
  repositories: RepositorySettings;
  sandbox: ConfinementSettings;
  agentHomeFolders: SharedEntry[];
  inherited: { PATH?: string; HOME?: string; LANG?: string };
}

type Variables = Record<string, string | undefined>;

export function readRunnerSettings(variables: Variables): RunnerProgramSettings {
  const isAuthenticated = variables.AUTH_MODE === 'authenticated';
  const schema = isAuthenticated ? authenticatedEnvironment : environment;
  const env = variables.RUNNER_TICKET_FILE
    ? { ...readEnvironment(schema.omit(withoutToken), variables), RUNNER_TOKEN: '' }
    : readEnvironment(schema, variables);
  const format = env.LOG_FORMAT ?? (env.NODE_ENV === 'production' ? 'json' : 'pretty');
  return {
    isAuthenticated,
    log: { level: env.LOG_LEVEL, format },
    host: env.HOST,
    port: env.RUNNER_PORT,
    prometheusHosts: env.PROMETHEUS_HOSTS,
    server: { url: env.RUNNER_URL, token: env.RUNNER_TOKEN },
    ticketFile: env.RUNNER_TICKET_FILE ?? null,
    name: env.RUNNER_NAME ?? hostname(),
    labels: env.RUNNER_LABELS,
    capacity: env.RUNNER_CONCURRENCY ?? env.WORKER_CONCURRENCY,
    drainMs: env.RUNNER_DRAIN_SEC * 1_000,
    dataDir: resolve(env.DATA_DIR),
    processAdapterCommands: isAuthenticated ? env.PROCESS_ADAPTER_COMMANDS : 'any',
    gateway: gatewaySettings(env),
    agentVariables: agentVariableSettings(env),
    models: modelSettings(env),
    repositories: repositorySettings(env, isAuthenticated),
    sandbox: sandboxSettings(env, isAuthenticated),
    agentHomeFolders: agentHomeSettings(env, isAuthenticated),
    inherited: { PATH: env.PATH, HOME: env.HOME, LANG: env.LANG },
  };
}

export const RUNNER_NAMES: readonly string[] = Object.keys(environment.shape);
