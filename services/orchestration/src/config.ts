import { join, resolve } from 'node:path';
import {
  commaSeparated,
  commonEnvironment,
  EnvironmentError,
  LOOPBACK_HOSTS,
  port,
  readEnvironment,
  wholeNumber,
} from '@switchyard/server';
import { z } from 'zod';
import type { RateLimitSettings } from './access/rate-limits';
import {
  authenticatedEnvironment,
  rateLimitSettings,
  type SignInSettings,
  signInEnvironment,
  signInSettings,
  trustedProxyHops,
} from './access/sign-in-settings';
import {
  type FileStoreSettings,
  fileStoreEnvironment,
  fileStoreSettings,
} from './adapters/file-store/file-store-settings';
import {
  type ModelSettings,
  modelEnvironment,
  modelSettings,
} from './adapters/models/model-settings';
import type { MasterKeys } from './adapters/secret-box/master-keys';

const masterKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
  .transform((text) => Buffer.from(text, 'base64'));

const masterKeyEnvironment = {
  SECRETS_MASTER_KEY: masterKey,
  /** Only while the master key is being changed: still opens what it wrapped. */
  SECRETS_MASTER_KEY_OLD: masterKey.optional(),
};

const environment = z.object({
  ...commonEnvironment,
  ...masterKeyEnvironment,
  ORCHESTRATION_PORT: port.default(3100),
  WORKER_PORT: port.default(3101),
  API_METRICS_PORT: port.default(9464),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' }),
  REDIS_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/)
    .default('switchyard'),
  ...signInEnvironment,
  RUN_TOKEN_SECRET: z.string().min(32, 'must have at least 32 characters'),
  DATA_DIR: z.string().default('.data'),
  WORKER_CONCURRENCY: wholeNumber(1, 500).default(16),
  MENTION_HOP_CAP: wholeNumber(0, 1_000).default(8),
  ROUTINE_CATCH_UP_CAP: wholeNumber(1, 1_000).default(25),
  MAX_ATTACHMENT_BYTES: wholeNumber(1024, 2_147_483_647).default(10_485_760),
  MAX_RUN_LOG_BYTES: wholeNumber(1024, 104_857_600).default(5_242_880),
  MAX_EVENT_STREAMS: wholeNumber(1, 10_000).default(500),
  HTTP_ADAPTER_ALLOWED_HOSTS: commaSeparated.default([]),
  PROCESS_ADAPTER_COMMANDS: commaSeparated.default([]),
  ...modelEnvironment,
  PATH: z.string().optional(),
  HOME: z.string().optional(),
  LANG: z.string().optional(),
});

const environments = {
  local_trusted: environment.and(fileStoreEnvironment),
  authenticated: environment.extend(authenticatedEnvironment).and(fileStoreEnvironment),
};

/** Every variable that is read; the service's README explains each. */
export const ENVIRONMENT_NAMES: readonly string[] = [
  ...Object.keys(environment.shape),
  ...Object.keys(fileStoreEnvironment.shape),
];

export interface Config {
  log: { level: 'error' | 'warn' | 'info' | 'debug'; format: 'json' | 'pretty' };
  host: string;
  apiPort: number;
  apiMetricsPort: number;
  workerPort: number;
  databaseUrl: string;
  databasePoolSize: number;
  redisUrl: string;
  redisPrefix: string;
  publicUrl: string;
  /** Null in local trusted mode, where nobody signs in. */
  signIn: SignInSettings | null;
  rateLimits: RateLimitSettings;
  trustedProxyHops: number;
  runTokenSecret: string;
  masterKeys: MasterKeys;
  dataDir: string;
  workerConcurrency: number;
  /** How many agents in a row may wake one another; what comes after wakes nobody (guarantee G11). */
  mentionHopCap: number;
  /** How many missed times of one schedule are made up for (spec, "Limits": the missed-run cap). */
  routineCatchUpCap: number;
  maxRunLogBytes: number;
  maxAttachmentBytes: number;
  files: FileStoreSettings;
  httpAdapterAllowedHosts: string[];
  /** What `process` agents may run (contract 11). */
  processAdapterCommands: string[] | 'any';
  models: ModelSettings;
  eventStreams: {
    /** Open streams of this process; further ones are answered 503. */
    max: number;
    heartbeatMs: number;
    /** How often a stream's credential is looked at again. */
    recheckMs: number;
    /** How often the table is read though nobody nudged: nudges may be lost. */
    pollMs: number;
    /** How long a client may leave what was sent unread before it is cut off. */
    stallMs: number;
  };
  /** All that agent processes inherit of the worker's own environment. */
  inherited: { PATH?: string; HOME?: string; LANG?: string };
  shutdownGraceMs: number;
  /** A worker renews its lease every third of this; others take a run over when it has passed. */
  leaseMs: number;
  sweepMs: number;
  /** Failed runs in a row after which an agent is paused with reason `failures`. */
  failuresBeforePause: number;
}

/** @throws EnvironmentError naming every bad variable at once */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const isAuthenticated = variables.AUTH_MODE === 'authenticated';
  const mode = isAuthenticated ? 'authenticated' : 'local_trusted';
  const env = readEnvironment(environments[mode], variables);
  if (!isAuthenticated && !LOOPBACK_HOSTS.includes(env.HOST)) {
    throw new EnvironmentError(
      `The environment is not usable:\n  HOST: local trusted mode has no sign-in, so it listens on ${LOOPBACK_HOSTS.join(', ')} only`,
    );
  }
  const urlHost = env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST;
  return {
    log: {
      level: env.LOG_LEVEL,
      format: env.LOG_FORMAT ?? (env.NODE_ENV === 'production' ? 'json' : 'pretty'),
    },
    host: env.HOST,
    apiPort: env.ORCHESTRATION_PORT,
    apiMetricsPort: env.API_METRICS_PORT,
    workerPort: env.WORKER_PORT,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    redisUrl: env.REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    publicUrl: (env.PUBLIC_URL ?? `http://${urlHost}:${env.ORCHESTRATION_PORT}`).replace(/\/$/, ''),
    signIn: signInSettings(env),
    rateLimits: rateLimitSettings(env),
    trustedProxyHops: trustedProxyHops(env),
    runTokenSecret: env.RUN_TOKEN_SECRET,
    masterKeys: { current: env.SECRETS_MASTER_KEY, old: env.SECRETS_MASTER_KEY_OLD ?? null },
    dataDir: resolve(env.DATA_DIR),
    workerConcurrency: env.WORKER_CONCURRENCY,
    mentionHopCap: env.MENTION_HOP_CAP,
    routineCatchUpCap: env.ROUTINE_CATCH_UP_CAP,
    maxRunLogBytes: env.MAX_RUN_LOG_BYTES,
    maxAttachmentBytes: env.MAX_ATTACHMENT_BYTES,
    files: fileStoreSettings(env),
    httpAdapterAllowedHosts: env.HTTP_ADAPTER_ALLOWED_HOSTS,
    processAdapterCommands: isAuthenticated ? env.PROCESS_ADAPTER_COMMANDS : 'any',
    models: modelSettings(env),
    eventStreams: {
      max: env.MAX_EVENT_STREAMS,
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

const rewrapEnvironment = z.object({
  DATABASE_URL: commonEnvironment.DATABASE_URL,
  SECRETS_MASTER_KEY: masterKey,
  SECRETS_MASTER_KEY_OLD: masterKey,
});

/** What the re-wrap command needs. @throws EnvironmentError naming every bad variable at once */
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
