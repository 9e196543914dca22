import { commandEnvironment } from '@switchyard/runner/agents/command/command-settings';
import {
  agentHomeEnvironment,
  authenticatedAgentHomeEnvironment,
} from '@switchyard/runner/agents/environment/agent-home-settings';
import { agentVariableEnvironment } from '@switchyard/runner/agents/environment/agent-variable-settings';
import { gatewayEnvironment } from '@switchyard/runner/gateway/gateway-settings';
import { modelEnvironment } from '@switchyard/runner/models/model-settings';
import { allowedHosts } from '@switchyard/runner/network/allowed-hosts';
import {
  authenticatedRepositoryEnvironment,
  repositoryEnvironment,
} from '@switchyard/runner/repositories/repository-settings';
import { RUNNER_NAMES, runnerProgramEnvironment } from '@switchyard/runner/runner-settings';
import { sandboxEnvironment } from '@switchyard/runner/sandbox/sandbox-settings';
import {
  commonEnvironment,
  type Environment,
  fileText,
  port,
  wholeNumber,
} from '@switchyard/server';
import { z } from 'zod';
import { fileStoreEnvironment } from '../adapters/file-store/file-store-settings';
import { networkEnvironment } from './network-settings';
import { podEnvironment } from './pod-settings';
import { retentionEnvironment } from './retention-settings';
import { runnerEnvironment } from './runner-settings';
import { shareEnvironment } from './share-settings';
import {
  apiOnlyEnvironment,
  authenticatedEnvironment,
  signInEnvironment,
} from './sign-in-settings';

export const masterKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
  .transform((text) => Buffer.from(text, 'base64'));

const addresses = {
  API_PORT: port.default(3100).describe('port of the API'),
  WORKER_PORT: port.default(3101).describe("port of the worker's probes and Prometheus page"),
  API_PROMETHEUS_PORT: port.default(9464).describe("port of the API's Prometheus page"),
  ...networkEnvironment,
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' })
    .describe('redis://:password@host:6379, or rediss:// with TLS'),
  REDIS_CA_FILE: fileText
    .optional()
    .describe("CA certificates for rediss://, instead of the system's"),
  REDIS_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/)
    .default('switchyard')
    .describe('prefix of all keys in Redis'),
};

const keys = {
  SECRETS_MASTER_KEY: masterKey.describe('key that encrypts secrets; 32 bytes in base64'),
  SECRETS_MASTER_KEY_OLD: masterKey
    .optional()
    .describe('the previous SECRETS_MASTER_KEY, until `npm run admin -- rewrap-secrets` has run'),
  RUN_TOKEN_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .describe('key that signs run tokens, for API and workers; at least 32 characters'),
  RUN_TOKEN_SECRET_OLD: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('the previous RUN_TOKEN_SECRET, still accepted'),
};

const work = {
  WORKER_CONCURRENCY: wholeNumber(1, 500)
    .default(16)
    .describe('concurrent runs of `http` agents per worker'),
  WORKER_PAUSED: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: no work starts, also on runners; set it for API and workers'),
  ...shareEnvironment,
  ...retentionEnvironment,
};

const files = {
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('folder for attachments (without S3), run folders, checkouts and agent homes'),
  MAX_ATTACHMENT_BYTES: wholeNumber(1024, 2_147_483_647)
    .default(10_485_760)
    .describe('maximum size of a file in bytes'),
};

const agents = {
  ...commandEnvironment,
  HTTP_ADAPTER_ALLOWED_HOSTS: allowedHosts.describe(
    'private or plain http hosts that `http` agents may use: `host[:port]`, or `host[:port]@companyId`',
  ),
  ...agentVariableEnvironment,
  ...agentHomeEnvironment,
  ...modelEnvironment,
};

const folders = { ...sandboxEnvironment, ...repositoryEnvironment };

const environment = z.object({
  ...commonEnvironment,
  ...addresses,
  ...signInEnvironment,
  ...keys,
  ...work,
  ...files,
  ...agents,
  ...folders,
  ...runnerEnvironment,
  ...podEnvironment,
  RUNNER_LABELS: runnerProgramEnvironment.RUNNER_LABELS,
  PATH: z.string().optional(),
  HOME: z.string().optional(),
  LANG: z.string().optional(),
});

const authenticated = environment.extend({
  ...authenticatedEnvironment,
  ...authenticatedRepositoryEnvironment,
  ...authenticatedAgentHomeEnvironment,
});

export const environments = {
  api: {
    local_trusted: environment.and(fileStoreEnvironment),
    authenticated: authenticated.and(fileStoreEnvironment),
  },
  worker: {
    local_trusted: environment.omit(apiOnlyEnvironment).and(fileStoreEnvironment),
    authenticated: authenticated.omit(apiOnlyEnvironment).and(fileStoreEnvironment),
  },
};

export const ENVIRONMENT: Environment = {
  groups: {
    'Addresses, proxies and Redis': addresses,
    'Sign-in and rate limits': signInEnvironment,
    Keys: keys,
    'Work, shares and retention': work,
    Files: { ...files, ...fileStoreEnvironment.shape, DATA_DIR: files.DATA_DIR },
    'Commands, variables and models of agents': agents,
    'Sandbox, folders and repositories': folders,
    Runners: { ...runnerEnvironment, ...runnerProgramEnvironment, ...gatewayEnvironment },
    'Run pods': podEnvironment,
  },
  authenticated: authenticatedEnvironment,
};

export const SERVER_NAMES: readonly string[] = Object.keys({
  ...environment.shape,
  ...fileStoreEnvironment.shape,
});

export const ENVIRONMENT_NAMES: readonly string[] = [
  ...new Set([...SERVER_NAMES, ...RUNNER_NAMES]),
];
