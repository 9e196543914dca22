import { type Clock, systemClock } from '@switchyard/async';
import { type MetricsDatabase, openMetricsDatabase, SCHEMA_VERSION } from '@switchyard/db';
import {
  createLogger,
  createRegistry,
  errorFields,
  type Logger,
  logRepeated,
  observeBuild,
  observePool,
  openRefusalLog,
  type RecordRefusal,
} from '@switchyard/server';
import { type Collector, createCollector } from './collection/collector';
import type { Config } from './config';
import { METRIC_PREFIX } from './create-gauge';
import { untestedNote } from './exchange/config';
import { createExchange } from './exchange/create-exchange';
import { createLimiters, type Timer } from './exchange/live/requests/limiter';
import type { Exchange } from './exchange/port';
import { createExposition, type Exposition } from './exposition/exposition';
import { createHealthProbe, type HealthProbe } from './health/health';
import type { Resources } from './resources';

export interface Context extends Resources {
  accounts: readonly Resources[];
  collector: Collector;
  probeHealth: HealthProbe;
  exposition: Exposition;
  recordRefusal: RecordRefusal;
  close(): Promise<void>;
}

export interface ContextOverrides {
  logger?: Logger;
  clock?: Clock;
  timer?: Timer;
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
    onIdleError: (error) =>
      logRepeated(logger, 'warn', 'a database connection was lost', errorFields(error)),
  });
  observePool(registry, METRIC_PREFIX, db.pool, config.databasePoolSize);
  const limiterOf = createLimiters(overrides.timer);
  const shared = { logger, clock, registry, db };
  const open = (own: Config, account: string | null): Resources => {
    const note = untestedNote(own.exchange);
    if (note !== null) logger.warn(note);
    const withPerpetuals = own.perpetuals.length > 0;
    const { callTimeoutMs } = own;
    const asked = { config: own.exchange, account, callTimeoutMs, limiterOf, withPerpetuals };
    const parts = { ...asked, ...shared };
    const exchange = overrides.exchange?.(db) ?? createExchange(parts);
    return { ...shared, account, config: own, exchange };
  };
  const several = config.accounts.map(({ name, problem, ...own }) =>
    open({ ...config, ...own, exchangeProblem: problem }, name),
  );
  const [resources = open(config, null)] = several;
  const accounts = several.length > 0 ? several : [resources];
  const collector = createCollector(resources, accounts);
  return {
    ...resources,
    accounts,
    collector,
    probeHealth: createHealthProbe(resources),
    exposition: createExposition(resources, accounts),
    recordRefusal: openRefusalLog({ logger, registry, prefix: METRIC_PREFIX }),
    close: async () => {
      await collector.close();
      for (const { exchange } of accounts) await exchange.close();
      await db.close();
    },
  };
}
