import { type MetricsDatabase, openMetricsDatabase, SCHEMA_VERSION } from '@switchyard/db';
import {
  createLogger,
  createRegistry,
  errorFields,
  type Logger,
  observeBuild,
  observePool,
} from '@switchyard/server';
import { type Clock, systemClock } from './clock';
import { type Collector, createCollector } from './collection/collector';
import type { Config } from './config';
import { METRIC_PREFIX } from './create-gauge';
import { untestedNote } from './exchange/config';
import { createExchange } from './exchange/create-exchange';
import type { Exchange } from './exchange/port';
import { createExposition, type Exposition } from './exposition/exposition';
import { createHealthProbe, type HealthProbe } from './health/health';
import type { Resources } from './resources';

/** Everything that an endpoint may need; built here and nowhere else. */
export interface Context extends Resources {
  collector: Collector;
  probeHealth: HealthProbe;
  exposition: Exposition;
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
  const registry = createRegistry();
  observeBuild(registry, METRIC_PREFIX, SCHEMA_VERSION.metrics);
  const db = openMetricsDatabase({
    url: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'switchyard-metrics',
    onIdleError: (error) => logger.warn('a database connection was lost', errorFields(error)),
  });
  observePool(registry, METRIC_PREFIX, db.pool, config.databasePoolSize);
  const { callTimeoutMs, perpetuals } = config;
  const withPerpetuals = perpetuals.length > 0;
  const parts = { config: config.exchange, callTimeoutMs, withPerpetuals, db, clock, registry };
  const exchange = overrides.exchange?.(db) ?? createExchange(parts);
  const note = untestedNote(config.exchange);
  if (note !== null) logger.warn(note);
  const resources = { config, logger, clock, registry, db, exchange };
  const collector = createCollector(resources);
  return {
    ...resources,
    collector,
    probeHealth: createHealthProbe(resources),
    exposition: createExposition(resources),
    close: async () => {
      await collector.close();
      await exchange.close();
      await db.close();
    },
  };
}
