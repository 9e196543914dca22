import type { MetricsDatabase } from '@switchyard/db';
import type { Clock } from '../clock';
import type { Config } from '../config';
import type { Metrics } from '../exposition/metrics';
import { createLiveExchange } from './live/live-exchange';
import type { Exchange } from './port';
import { createBooks } from './simulated/books';
import { createSimulatedExchange } from './simulated/simulated-exchange';

export interface ExchangeParts {
  config: Config;
  db: MetricsDatabase;
  clock: Clock;
  metrics: Metrics;
}

/** The exchange that the configuration names; the library for live ones is loaded by its first call. */
export function createExchange({ config, db, clock, metrics }: ExchangeParts): Exchange {
  const { exchange } = config;
  if (exchange.mode === 'simulated') {
    return createSimulatedExchange({ seed: exchange.seed, clock, books: createBooks(db) });
  }
  const timeoutMs = config.callTimeoutMs;
  return createLiveExchange({ config: exchange, timeoutMs, clock, metrics });
}
