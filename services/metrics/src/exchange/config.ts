import { LOOPBACK_HOSTS } from '@switchyard/server';
import { z } from 'zod';
import { marketEnvironment } from '../market-settings';

export const exchangeEnvironment = {
  EXCHANGE_MODE: z
    .string()
    .default('simulated')
    .describe("`simulated`, `live`, or `testnet` for the exchange's test network"),
  EXCHANGE_ID: z
    .string()
    .optional()
    .describe('required unless simulated; tested: binance, bybit, coinbase, kraken, okx'),
  EXCHANGE_API_KEY: z.string().optional().describe('a read-only key'),
  EXCHANGE_API_SECRET: z.string().optional().describe('secret of EXCHANGE_API_KEY'),
  EXCHANGE_API_PASSWORD: z.string().optional().describe('passphrase, if the exchange requires one'),
  EXCHANGE_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('simulator of the exchange on a loopback address; its data is marked simulated'),
};

export const exchangeCheckEnvironment = z.object({ ...exchangeEnvironment, ...marketEnvironment });

export const TESTED_EXCHANGES = ['binance', 'bybit', 'coinbase', 'kraken', 'okx'];

export function untestedNote(config: ExchangeConfig | UnusableExchangeConfig): string | null {
  if (config.mode !== 'live' || TESTED_EXCHANGES.includes(config.id)) return null;
  return `${config.id} is untested: check its numbers against the exchange; ${TESTED_EXCHANGES.join(', ')} are tested`;
}

const WITH_TESTNET = ['binance', 'binanceus', 'bybit', 'cryptocom', 'gemini', 'okx'];

const KNOWN_EXCHANGES = [
  'binance',
  'binanceus',
  'bitfinex',
  'bitget',
  'bitstamp',
  'bybit',
  'coinbase',
  'cryptocom',
  'gate',
  'gemini',
  'htx',
  'kraken',
  'kucoin',
  'mexc',
  'okx',
];

export interface LiveExchangeConfig {
  mode: 'live';
  id: string;
  apiKey: string | null;
  secret: string | null;
  password: string | null;
  baseUrl: string | null;
  isTestnet: boolean;
  rateLimit: boolean;
}

export interface UnusableExchangeConfig {
  mode: 'unusable';
  id: string;
}

export type ExchangeConfig = { mode: 'simulated' } | LiveExchangeConfig;

export function exchangeName({ id, baseUrl, isTestnet }: LiveExchangeConfig): string {
  if (isTestnet) return `${id}-testnet`;
  return baseUrl === null ? id : `${id}@${new URL(baseUrl).host}`;
}

type Environment = z.output<z.ZodObject<typeof exchangeEnvironment>>;

/**
 * A configuration problem does not prevent the start (specification, "Configuration error 500"):
 * every collection returns the problem, and the health check fails.
 */
export function readExchangeConfig(env: Environment): {
  exchange: ExchangeConfig | UnusableExchangeConfig;
  problem: string | null;
} {
  const secrets = readSecrets(env);
  const problem = problemOf(env, secrets);
  if (problem !== null) return { exchange: unusable(env.EXCHANGE_ID), problem };
  if (env.EXCHANGE_MODE === 'simulated') return { exchange: { mode: 'simulated' }, problem };
  return {
    problem,
    exchange: {
      mode: 'live',
      id: env.EXCHANGE_ID as string,
      apiKey: secrets.apiKey,
      secret: secrets.secret,
      password: secrets.password,
      baseUrl: env.EXCHANGE_BASE_URL ?? null,
      isTestnet: env.EXCHANGE_MODE === 'testnet',
      rateLimit: env.EXCHANGE_BASE_URL === undefined,
    },
  };
}

const SHOWN_EXCHANGE = /^[\w.-]{1,32}$/;

export function unusable(id = ''): UnusableExchangeConfig {
  return { mode: 'unusable', id: SHOWN_EXCHANGE.test(id) ? id : 'unknown' };
}

function problemOf(env: Environment, secrets: Secrets): string | null {
  const mode = env.EXCHANGE_MODE;
  if (!['simulated', 'live', 'testnet'].includes(mode)) {
    return 'EXCHANGE_MODE must be simulated, live or testnet';
  }
  if (mode === 'simulated') return null;
  if (!env.EXCHANGE_ID) return `EXCHANGE_ID is missing: EXCHANGE_MODE ${mode} requires it`;
  if (!KNOWN_EXCHANGES.includes(env.EXCHANGE_ID)) {
    return `EXCHANGE_ID must be one of ${KNOWN_EXCHANGES.join(', ')}`;
  }
  if (mode === 'testnet' && !WITH_TESTNET.includes(env.EXCHANGE_ID)) {
    return `EXCHANGE_ID must be one of ${WITH_TESTNET.join(', ')} in testnet mode`;
  }
  if (mode === 'testnet' && env.EXCHANGE_BASE_URL) {
    return 'EXCHANGE_BASE_URL must not be set in testnet mode';
  }
  if (Boolean(secrets.apiKey) !== Boolean(secrets.secret)) {
    return 'EXCHANGE_API_KEY and EXCHANGE_API_SECRET must be set together';
  }
  const host = env.EXCHANGE_BASE_URL && new URL(env.EXCHANGE_BASE_URL).hostname;
  const isLoopback = !host || [...LOOPBACK_HOSTS, '[::1]'].includes(host);
  if (!isLoopback) {
    return 'EXCHANGE_BASE_URL must be a loopback address, because keys must not be sent to another host';
  }
  return null;
}

interface Secrets {
  apiKey: string | null;
  secret: string | null;
  password: string | null;
}

const readSecrets = (env: Environment): Secrets => ({
  apiKey: unfold(env.EXCHANGE_API_KEY),
  secret: unfold(env.EXCHANGE_API_SECRET),
  password: unfold(env.EXCHANGE_API_PASSWORD),
});

const unfold = (value: string | undefined): string | null =>
  value?.startsWith('-----BEGIN') ? value.replaceAll('\\n', '\n') : value || null;
