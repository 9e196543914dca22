import type { MetricsDatabase } from '@switchyard/db';
import type { Logger } from '@switchyard/server';
import type { Clock } from '../clock';
import type { Config } from '../config';
import type { Metrics } from '../exposition/metrics';
import type { Exchange } from './port';
import { createBooks } from './simulated/books';
import { createSimulatedExchange } from './simulated/simulated-exchange';

export interface ExchangeParts {
  config: Config;
  db: MetricsDatabase;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** The exchange that the configuration names; the library for live ones is loaded by its first call. */
export function createExchange({ config, db, clock }: ExchangeParts): Exchange {
  const { exchange } = config;
  if (exchange.mode === 'simulated') {
    return createSimulatedExchange({ seed: exchange.seed, clock, books: createBooks(db) });
  }
  throw new Error('unreachable');
}
