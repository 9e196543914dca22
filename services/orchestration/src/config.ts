import { join, resolve } from 'node:path';
import {
  agentHomeSettings,
  type SharedEntry,
} from '@switchyard/runner/agents/environment/agent-home-settings';
import {
  type AgentVariableSettings,
  agentVariableSettings,
} from '@switchyard/runner/agents/environment/agent-variable-settings';
import { type ModelSettings, modelSettings } from '@switchyard/runner/models/model-settings';
import {
  type RepositorySettings,
  repositorySettings,
} from '@switchyard/runner/repositories/repository-settings';
import {
  type ConfinementSettings,
  sandboxSettings,
} from '@switchyard/runner/sandbox/sandbox-settings';
import {
  commonEnvironment,
  EnvironmentError,
  LOOPBACK_HOSTS,
  readEnvironment,
} from '@switchyard/server';
import { z } from 'zod';
import type { ScannerAddress } from './adapters/file-store/clamd';
import {
  type FileStoreSettings,
  fileStoreSettings,
  scannerAddress,
} from './adapters/file-store/file-store-settings';
import type { MasterKeys } from './adapters/secret-box/master-keys';
import { environments, masterKey } from './settings/environment';
import { type NetworkSettings, networkSettings } from './settings/network-settings';
import { type PodSettings, podSettings } from './settings/pod-settings';
import { type RetentionSettings, retentionSettings } from './settings/retention-settings';
import { type RunnerSettings, runnerSettings } from './settings/runner-settings';
import { EVENT_STREAM_LIMITS } from './settings/share-settings';
import {
  type AUTH_MODES,
  type CompanyFounders,
  companyFounders,
  type RateLimitSettings,
  rateLimitSettings,
  type SignInSettings,
  signInSettings,
} from './settings/sign-in-settings';

export interface Config {
  authMode: (typeof AUTH_MODES)[number];
  log: { level: 'error' | 'warn' | 'info' | 'debug'; format: 'json' | 'pretty' };
  host: string;
  apiPort: number;
  apiMetricsPort: number;
  workerPort: number;
  databaseUrl: string;
  databasePoolSize: number;
  redisUrl: string;
  redisCa?: string;
  redisPrefix: string;
  publicUrl: string;
  agentApiUrl: string;
  signIn: SignInSettings | null;
  companyFounders: CompanyFounders;
  rateLimits: RateLimitSettings;
  network: NetworkSettings;
  runTokenSecret: string;
  oldRunTokenSecret: string | null;
  masterKeys: MasterKeys;
  dataDir: string;
  workerConcurrency: number;
  workerPaused: boolean;
  /**
   * Limit across all workers; with 0, only the fair share per worker applies (`createRunSlots`).
   */
  maxRunningRunsPerCompany: number;
  mentionHopCap: number;
  selfWakesPerHour: number;
  routineCatchUpCap: number;
  maxRunLogBytes: number;
  maxAttachmentBytes: number;
  /** Per company; 0 means unlimited. */
  companyStorageBytes: number;
  companyTextBytes: number;
  files: FileStoreSettings;
  uploadScanner: ScannerAddress | null;
  httpAdapterAllowedHosts: string[];
  processAdapterCommands: string[] | 'any';
  agentVariables: AgentVariableSettings;
  agentHomeFolders: SharedEntry[];
  models: ModelSettings;
  repositories: RepositorySettings;
  sandbox: ConfinementSettings;
  checks: {
    claimWithinMs: number;
    answerWithinMs: number;
  };
  retention: RetentionSettings;
  runner: RunnerSettings;
  pods: PodSettings | null;
  eventStreams: {
    max: number;
    maxPerCompany: number;
    maxPerCaller: number;
    heartbeatMs: number;
    recheckMs: number;
    /** Poll interval in ms. Polling is needed because notifications may be lost. */
    pollMs: number;
    stallMs: number;
  };
  inherited: { PATH?: string; HOME?: string; LANG?: string };
  shutdownGraceMs: number;
  /**
   * Lease length in ms. A worker renews its lease after each third of this time; when the lease
   * expires, other workers take over the run. Runners use `runner.leaseMs`.
   */
  leaseMs: number;
  sweepMs: number;
  failuresBeforePause: number;
}

/**
 * Replaces a wildcard address, which cannot be called and which, as a Host header, would admit
 * pages of other sites.
 */
function ownUrl(host: string, listening: number): string {
  const called = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${called.includes(':') ? `[${called}]` : called}:${listening}`;
}

const LIMITS = {
  mentionHopCap: 8,
  selfWakesPerHour: 30,
  routineCatchUpCap: 25,
  maxRunLogBytes: 5_242_880,
};

/**
 * Only the API gets the session secret.
 * @throws EnvironmentError that names every invalid variable
 */
export function readConfig(
  variables: Record<string, string | undefined>,
  process: 'api' | 'worker' = 'api',
): Config {
  const isAuthenticated = variables.AUTH_MODE === 'authenticated';
  const mode = isAuthenticated ? 'authenticated' : 'local_trusted';
  const env = readEnvironment(environments[process][mode], variables);
  const isVouchedFor = LOOPBACK_HOSTS.includes(env.HOST) || env.TRUST_LOCAL_NETWORK === 'true';
  if (!isAuthenticated && !isVouchedFor) {
    throw new EnvironmentError(
      `The environment is not usable:\n  HOST: must be one of ${LOOPBACK_HOSTS.join(', ')} because local trusted mode has no sign-in; TRUST_LOCAL_NETWORK=true allows another address`,
    );
  }
  const publicUrl = env.PUBLIC_URL ?? ownUrl(env.HOST, env.API_PORT);
  const agentApiUrl = env.AGENT_API_URL ?? env.PUBLIC_URL ?? ownUrl(env.HOST, env.AGENT_PORT);
  return {
    authMode: mode,
    log: {
      level: env.LOG_LEVEL,
      format: env.LOG_FORMAT ?? (env.NODE_ENV === 'production' ? 'json' : 'pretty'),
    },
    host: env.HOST,
    apiPort: env.API_PORT,
    apiMetricsPort: env.API_PROMETHEUS_PORT,
    workerPort: env.WORKER_PORT,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    redisUrl: env.REDIS_URL,
    redisCa: env.REDIS_CA_FILE,
    redisPrefix: env.REDIS_PREFIX,
    publicUrl: publicUrl.replace(/\/$/, ''),
    agentApiUrl: agentApiUrl.replace(/\/$/, ''),
    signIn: signInSettings(env),
    companyFounders: companyFounders(env),
    rateLimits: rateLimitSettings(env),
    network: networkSettings(env),
    runTokenSecret: env.RUN_TOKEN_SECRET,
    oldRunTokenSecret: env.RUN_TOKEN_SECRET_OLD ?? null,
    masterKeys: { current: env.SECRETS_MASTER_KEY, old: env.SECRETS_MASTER_KEY_OLD ?? null },
    dataDir: resolve(env.DATA_DIR),
    workerConcurrency: env.WORKER_CONCURRENCY,
    workerPaused: env.WORKER_PAUSED === 'true',
    maxRunningRunsPerCompany: env.MAX_RUNNING_RUNS_PER_COMPANY,
    ...LIMITS,
    maxAttachmentBytes: env.MAX_ATTACHMENT_BYTES,
    companyStorageBytes: env.COMPANY_STORAGE_BYTES,
    companyTextBytes: env.COMPANY_TEXT_BYTES,
    files: fileStoreSettings(env),
    uploadScanner: scannerAddress(env),
    httpAdapterAllowedHosts: env.HTTP_ADAPTER_ALLOWED_HOSTS,
    processAdapterCommands: isAuthenticated ? env.PROCESS_ADAPTER_COMMANDS : 'any',
    agentVariables: agentVariableSettings(env),
    agentHomeFolders: agentHomeSettings(env, isAuthenticated),
    models: modelSettings(env),
    repositories: repositorySettings(env, isAuthenticated),
    sandbox: sandboxSettings(env, isAuthenticated),
    checks: { claimWithinMs: 5_000, answerWithinMs: 15_000 },
    retention: retentionSettings(env),
    runner: runnerSettings(env),
    pods: podSettings(env),
    eventStreams: {
      ...EVENT_STREAM_LIMITS,
      heartbeatMs: 15_000,
      recheckMs: 10_000,
      pollMs: 2_000,
      stallMs: 30_000,
    },
    inherited: { PATH: env.PATH, HOME: env.HOME, LANG: env.LANG },
    shutdownGraceMs: env.SHUTDOWN_GRACE_SEC * 1000,
    leaseMs: 3_000,
    sweepMs: 500,
    failuresBeforePause: 5,
  };
}

const adminEnvironment = z.object({ DATABASE_URL: commonEnvironment.DATABASE_URL });

export function readAdminConfig(
  variables: Record<string, string | undefined>,
): Pick<Config, 'databaseUrl'> {
  return { databaseUrl: readEnvironment(adminEnvironment, variables).DATABASE_URL };
}

const rewrapEnvironment = z.object({
  DATABASE_URL: commonEnvironment.DATABASE_URL,
  SECRETS_MASTER_KEY: masterKey,
  SECRETS_MASTER_KEY_OLD: masterKey,
});

export function readRewrapConfig(
  variables: Record<string, string | undefined>,
): Pick<Config, 'databaseUrl' | 'masterKeys'> {
  const env = readEnvironment(rewrapEnvironment, variables);
  return {
    databaseUrl: env.DATABASE_URL,
    masterKeys: { current: env.SECRETS_MASTER_KEY, old: env.SECRETS_MASTER_KEY_OLD },
  };
}

export function runFolder(config: Config, runId: string): string {
  return join(config.dataDir, 'runs', runId);
}
