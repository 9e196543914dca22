import {
  commaSeparated,
  commonEnvironment,
  type Environment,
  port,
  readEnvironment,
  wholeNumber,
} from '@switchyard/server';
import { z } from 'zod';
import { accessEnvironment } from './access-settings';
import { accountEnvironment } from './account-settings';
import { readDecimal } from './decimal';
import {
  type ExchangeConfig,
  exchangeEnvironment,
  readExchangeConfig,
  type UnusableExchangeConfig,
  unusable,
} from './exchange/config';
import { marketEnvironment, timeoutsOf } from './market-settings';
import { type AccountConfig, readAccounts } from './read-accounts';
import { readWebhook, type Webhook, webhookEnvironment } from './webhook-settings';

const MAX_GRIDS = 50;

const ASSET = /^[^\s,/:]{1,64}$/;

const collections = {
  ...marketEnvironment,
  METRICS_QUOTE: z
    .string()
    .regex(/^[A-Z0-9]{1,20}$/, 'must be an asset such as USDT')
    .default('USDT')
    .describe('currency of equity'),
  METRICS_IGNORED_ASSETS: commaSeparated
    .pipe(z.array(z.string().regex(ASSET, 'must be an asset such as EON')).max(500))
    .default([])
    .describe('assets that count as zero, as the exchange spells them, separated by commas'),
  METRICS_DUST_LIMIT: z
    .string()
    .refine((value) => readDecimal(value)?.gte(0), 'must be a decimal number, 0 or more')
    .default('0')
    .describe(
      'limit in METRICS_QUOTE: a balance without a price counts as zero if its highest possible value, from an ask price, is below this limit; 0: off',
    ),
  METRICS_INTERVAL_SEC: wholeNumber(1, 86_400)
    .default(300)
    .describe('expected seconds between collections; data older than twice this interval is stale'),
  METRICS_COLLECT_EVERY_SEC: wholeNumber(0, 86_400)
    .default(0)
    .describe('seconds after which the service collects by itself; 0: only callers collect'),
  METRICS_MIN_INTERVAL_SEC: wholeNumber(0, 3_600)
    .default(0)
    .describe("seconds for which a collection's response is repeated; 0: collect at each call"),
  METRICS_RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(0)
    .describe(
      'days after which raw snapshots and counted fills are deleted (hourly values and books are kept); 0: never',
    ),
};

const access = {
  MARKET_METRICS_PORT: port.default(3200).describe('port of the service'),
  ...accessEnvironment,
  ...webhookEnvironment,
};

const exchange = { ...exchangeEnvironment, ...accountEnvironment };

const environment = z
  .object({ ...commonEnvironment, ...exchange, ...collections, ...access })
  .refine((env) => !env.METRICS_IGNORED_ASSETS.includes(env.METRICS_QUOTE), {
    path: ['METRICS_IGNORED_ASSETS'],
    error: 'must not contain the asset of METRICS_QUOTE',
  });

export const ENVIRONMENT: Environment = {
  groups: { Exchange: exchange, Collections: collections, 'Callers and webhooks': access },
};

export const ENVIRONMENT_NAMES: readonly string[] = Object.keys(environment.shape);

export interface Config {
  log: { level: 'error' | 'warn' | 'info' | 'debug'; format: 'json' | 'pretty' };
  host: string;
  port: number;
  databaseUrl: string;
  databasePoolSize: number;
  shutdownGraceMs: number;
  exchange: ExchangeConfig | UnusableExchangeConfig;
  accounts: AccountConfig[];
  exchangeProblem: string | null;
  symbols: string[];
  perpetuals: string[];
  quote: string;
  ignoredAssets: string[];
  dustLimit: string;
  callTimeoutMs: number;
  componentTimeoutMs: number;
  collectionTimeoutMs: number;
  intervalMs: number;
  collectEveryMs: number;
  minIntervalMs: number;
  maxGrids: number;
  allowedHosts: string[];
  token: string | null;
  webhook: Webhook | null;
  retentionDays: number;
}

export function readConfig(variables: Record<string, string | undefined>): Config {
  const env = readEnvironment(environment, variables);
  const { exchange, problem, symbols, perpetuals, accounts } = readOwners(env);
  return {
    log: {
      level: env.LOG_LEVEL,
      format: env.LOG_FORMAT ?? (env.NODE_ENV === 'production' ? 'json' : 'pretty'),
    },
    host: env.HOST,
    port: env.MARKET_METRICS_PORT,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    shutdownGraceMs: env.SHUTDOWN_GRACE_SEC * 1000,
    exchange,
    accounts,
    exchangeProblem: problem,
    symbols,
    perpetuals,
    quote: env.METRICS_QUOTE,
    ignoredAssets: env.METRICS_IGNORED_ASSETS,
    dustLimit: env.METRICS_DUST_LIMIT,
    ...timeoutsOf(env),
    intervalMs: env.METRICS_INTERVAL_SEC * 1000,
    collectEveryMs: env.METRICS_COLLECT_EVERY_SEC * 1000,
    minIntervalMs: env.METRICS_MIN_INTERVAL_SEC * 1000,
    maxGrids: MAX_GRIDS,
    allowedHosts: env.METRICS_ALLOWED_HOSTS,
    token: env.METRICS_TOKEN ?? null,
    webhook: readWebhook(env),
    retentionDays: env.METRICS_RETENTION_DAYS,
  };
}

function readOwners(env: z.output<typeof environment>) {
  const { exchange, problem } = readExchangeConfig(env);
  const one = { exchange, problem, ...env.METRICS_SYMBOLS, accounts: [] as AccountConfig[] };
  if (!env.METRICS_ACCOUNTS) return one;
  try {
    const accounts = readAccounts(env.METRICS_ACCOUNTS);
    return { ...(accounts[0] as AccountConfig), accounts };
  } catch (error) {
    return { ...one, exchange: unusable(), problem: (error as Error).message };
  }
}
