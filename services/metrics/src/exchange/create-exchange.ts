import type { MetricsDatabase } from '@switchyard/db';
import { Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock';
import { type ExchangeConfig, exchangeName } from './config';
import { createLiveExchange } from './live/live-exchange';
import type { Exchange } from './port';
import { createBooks } from './simulated/books';
import { createSimulatedExchange } from './simulated/simulated-exchange';

export interface ExchangeParts {
  config: ExchangeConfig;
  callTimeoutMs: number;
  withPerpetuals?: boolean;
  /** Where the simulated one keeps its books. */
  db?: MetricsDatabase;
  clock: Clock;
  registry: Registry;
}

/** The exchange that the configuration names; the library for live ones is loaded by its first call. */
export function createExchange(parts: ExchangeParts): Exchange {
  const { config, callTimeoutMs, withPerpetuals, db, clock, registry } = parts;
  const durations = new Histogram({
    name: 'marketmetrics_exchange_request_duration_seconds',
    help: 'Time of one call to the exchange.',
    labelNames: ['exchange', 'method', 'outcome'] as const,
    buckets: [0.05, 0.25, 1, 2.5, 8],
    registers: [registry],
  });
  if (config.mode === 'simulated') {
    if (!db) throw new Error('the simulated exchange keeps its books in a database');
    return createSimulatedExchange({ seed: config.seed, clock, books: createBooks(db) });
  }
  const name = exchangeName(config);
  return createLiveExchange({
    config,
    timeoutMs: callTimeoutMs,
    withPerpetuals,
    now: () => clock.now().getTime(),
    observe: (method, outcome, seconds) =>
      durations.observe({ exchange: name, method, outcome }, seconds),
  });
}
