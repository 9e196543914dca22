import { LOOPBACK_HOSTS, wholeNumber } from '@switchyard/server';
import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const exchangeEnvironment = {
  EXCHANGE_MODE: z.string().default('simulated').describe('`simulated`, or `live` for a real one'),
  EXCHANGE_ID: z
    .string()
    .optional()
    .describe('which, e.g. binance or kraken; required with `live`'),
  EXCHANGE_API_KEY: z.string().optional().describe('a key that may only read: nothing is traded'),
  EXCHANGE_API_SECRET: z.string().optional().describe('goes with EXCHANGE_API_KEY'),
  EXCHANGE_API_PASSWORD: z.string().optional().describe('where the exchange wants one'),
  EXCHANGE_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('another address of the exchange, on loopback; its data is marked simulated'),
  EXCHANGE_BASE_URL_ANYWHERE: flag
    .default(false)
    .describe('`true` lets that address be elsewhere, keys included'),
  EXCHANGE_RATE_LIMIT: flag.default(true).describe('`false` disables client-side rate limiting'),
  SIMULATED_SEED: wholeNumber(0, 2_147_483_647)
    .default(7)
    .describe('which prices the simulated exchange makes up'),
};

/** Exchanges that may be named: the id becomes part of a file's path, so it must come from a list. */
export const KNOWN_EXCHANGES = [
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
  rateLimit: boolean;
}

export type ExchangeConfig = { mode: 'simulated'; seed: number } | LiveExchangeConfig;

/** What the rows of an exchange are named by: at another address it is not the exchange of that name. */
export function exchangeName({ id, baseUrl }: LiveExchangeConfig): string {
  return baseUrl === null ? id : `${id}@${new URL(baseUrl).host}`;
}

type Environment = z.output<z.ZodObject<typeof exchangeEnvironment>>;

/**
 * A problem does not stop the start (specification, "Configuration error 500"): it is answered by every
 * collection, and the health check is red, where an operator looks.
 */
export function readExchangeConfig(env: Environment): {
  exchange: ExchangeConfig;
  problem: string | null;
} {
  const problem = problemOf(env);
  if (problem !== null || env.EXCHANGE_MODE === 'simulated') {
    return { exchange: { mode: 'simulated', seed: env.SIMULATED_SEED }, problem };
  }
  return {
    problem,
    exchange: {
      mode: 'live',
      id: env.EXCHANGE_ID as string,
      apiKey: env.EXCHANGE_API_KEY ?? null,
      secret: env.EXCHANGE_API_SECRET ?? null,
      password: env.EXCHANGE_API_PASSWORD ?? null,
      baseUrl: env.EXCHANGE_BASE_URL ?? null,
      rateLimit: env.EXCHANGE_RATE_LIMIT,
    },
  };
}

function problemOf(env: Environment): string | null {
  if (!['simulated', 'live'].includes(env.EXCHANGE_MODE)) {
    return 'EXCHANGE_MODE must be simulated or live';
  }
  if (env.EXCHANGE_MODE === 'simulated') return null;
  if (!env.EXCHANGE_ID) return 'EXCHANGE_ID is missing, and EXCHANGE_MODE is live';
  if (!KNOWN_EXCHANGES.includes(env.EXCHANGE_ID)) {
    return `EXCHANGE_ID must be one of ${KNOWN_EXCHANGES.join(', ')}`;
  }
  if (Boolean(env.EXCHANGE_API_KEY) !== Boolean(env.EXCHANGE_API_SECRET)) {
    return 'EXCHANGE_API_KEY and EXCHANGE_API_SECRET must be set together';
  }
  const host = env.EXCHANGE_BASE_URL && new URL(env.EXCHANGE_BASE_URL).hostname;
  const isLoopback = !host || [...LOOPBACK_HOSTS, '[::1]'].includes(host);
  if (!isLoopback && !env.EXCHANGE_BASE_URL_ANYWHERE) {
    return 'EXCHANGE_BASE_URL must be a loopback address: keys must not go to a foreign host';
  }
  return null;
}
