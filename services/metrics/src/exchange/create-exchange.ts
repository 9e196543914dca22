import type { Clock } from '@switchyard/async';
import type { MetricsDatabase } from '@switchyard/db';
import { Histogram, type Registry } from 'prom-client';
import { type ExchangeConfig, exchangeName, type UnusableExchangeConfig } from './config';
import { ExchangeFailure } from './failure';
import { createLiveExchange } from './live/live-exchange';
import type { Limiter } from './live/requests/limiter';
import { ownerName, presentOwner } from './owner';
import { type Exchange, NO_KEY } from './port';
import { createBooks } from './simulated/books';
import { createSimulatedExchange } from './simulated/simulated-exchange';

export interface ExchangeParts {
  config: ExchangeConfig | UnusableExchangeConfig;
  account?: string | null;
  callTimeoutMs: number;
  limiterOf?(exchange: string): Limiter;
  withPerpetuals?: boolean;
  db?: MetricsDatabase;
  clock: Clock;
  registry: Registry;
}

const SIMULATED_SEED = 7;

export function createExchange(parts: ExchangeParts): Exchange {
  const { config, account = null, callTimeoutMs, withPerpetuals, db, clock, registry } = parts;
  const durations = durationsIn(registry);
  const now = () => clock.now().getTime();
  if (config.mode === 'unusable') {
    return createUnusableExchange(ownerName(config.id, account), now);
  }
  if (config.mode === 'simulated') {
    if (!db) throw new Error('the simulated exchange requires a database');
    return createSimulatedExchange({
      name: ownerName('simulated', account),
      seed: SIMULATED_SEED,
      clock,
      books: createBooks(db),
    });
  }
  const name = ownerName(exchangeName(config), account);
  return createLiveExchange({
    config,
    name,
    timeoutMs: callTimeoutMs,
    limiter: parts.limiterOf?.(config.id),
    withPerpetuals,
    now,
    observe: (method, outcome, seconds) =>
      durations.observe({ ...presentOwner(name), method, outcome }, seconds),
  });
}

const DURATIONS = 'marketmetrics_exchange_request_duration_seconds';

function durationsIn(registry: Registry) {
  const labelNames = ['exchange', 'account', 'method', 'outcome'] as const;
  const known = registry.getSingleMetric(DURATIONS);
  if (known) return known as Histogram<(typeof labelNames)[number]>;
  return new Histogram({
    name: DURATIONS,
    help: 'Time of one call to the exchange.',
    labelNames,
    buckets: [0.05, 0.25, 1, 2.5, 8],
    registers: [registry],
  });
}

function createUnusableExchange(name: string, now: () => number): Exchange {
  const refuse = async (): Promise<never> => {
    throw new ExchangeFailure('permission', name, 'the exchange is not configured');
  };
  return {
    name,
    simulated: false,
    hasAccount: false,
    checkKey: async () => undefined,
    markets: refuse,
    tickers: refuse,
    balance: refuse,
    candles: refuse,
    openOrders: refuse,
    trades: refuse,
    order: refuse,
    perpetuals: null,
    time: now,
    candleGraceMs: 0,
    state: () => ({
      circuit: 'closed',
      openUntil: null,
      lastSuccessAt: null,
      consecutiveFailures: 0,
      clockOffsetMs: null,
      key: NO_KEY,
    }),
    close: async () => undefined,
  };
}
