import { type MetricsDatabase, openMetricsDatabase, openPool, type Pool } from '@switchyard/db';
import { createLogger, errorFields, type Logger, observePool } from '@switchyard/server';
import { type Clock, systemClock } from './clock';
import type { CandleCache } from './collection/candle-store';
import type { Collected } from './collection/collect';
import { createTurns, type TakeTurn } from './collection/collection-turns';
import { type CollectorState, createCollectorState } from './collector-state';
import type { Config } from './config';
import { createExchange } from './exchange/create-exchange';
import type { Exchange } from './exchange/port';
import { createMetrics, METRIC_PREFIX, type Metrics } from './exposition/metrics';

/** How many collections with an id of their own may run in this process at once. */
const LOCK_CONNECTIONS = 10;

/** Everything the service works with; built here and nowhere else. */
export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  metrics: Metrics;
  db: MetricsDatabase;
  /** Connections that hold a collection's lock and do nothing else. */
  locks: Pool;
  exchange: Exchange;
  collector: CollectorState;
  candles: CandleCache;
  /** Collections with a given id that run in this process, for equal requests to join. */
  running: Map<string, Promise<Collected>>;
  takeTurn: TakeTurn;
  /** In reverse order of construction. */
  close(): Promise<void>;
}

export interface ContextOverrides {
  logger?: Logger;
  clock?: Clock;
  exchange?: (db: MetricsDatabase) => Exchange;
}

export function createContext(config: Config, overrides: ContextOverrides = {}): Context {
  const logger = overrides.logger ?? createLogger({ process: 'metrics', ...config.log });
  const clock = overrides.clock ?? systemClock;
  const metrics = createMetrics();
  const connection = {
    url: config.databaseUrl,
    onIdleError: (error: Error) =>
      logger.warn('a database connection was lost', errorFields(error)),
  };
  const db = openMetricsDatabase({
    ...connection,
    size: config.databasePoolSize,
    applicationName: 'switchyard-metrics',
  });
  observePool(metrics.registry, METRIC_PREFIX, db.pool, config.databasePoolSize);
  const locks = openPool({
    ...connection,
    size: LOCK_CONNECTIONS,
    applicationName: 'switchyard-metrics-locks',
  });
  const exchange = overrides.exchange?.(db) ?? createExchange({ config, db, clock, metrics });
  return {
    config,
    logger,
    clock,
    metrics,
    db,
    locks,
    exchange,
    collector: createCollectorState(),
    candles: new Map(),
    running: new Map(),
    takeTurn: createTurns(),
    close: async () => {
      await exchange.close();
      await locks.end();
      await db.close();
    },
  };
}
