import { openPool, type Pool } from '@switchyard/db';
import { createLogger, errorFields, type Logger } from '@switchyard/server';
import type { Config } from './config';

/** Everything the service works with; built here and nowhere else. */
export interface Context {
  config: Config;
  logger: Logger;
  pool: Pool;
  close(): Promise<void>;
}

export function createContext(config: Config, overrides: { logger?: Logger } = {}): Context {
  const logger = overrides.logger ?? createLogger({ process: 'metrics', ...config.log });
  const pool = openPool({
    url: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'switchyard-metrics',
    onIdleError: (error) => logger.warn('a database connection was lost', errorFields(error)),
  });
  return { config, logger, pool, close: () => pool.end() };
}
