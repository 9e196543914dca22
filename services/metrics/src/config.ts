import { commonEnvironment, port, readEnvironment } from '@switchyard/server';
import { z } from 'zod';

const environment = z.object({
  ...commonEnvironment,
  METRICS_PORT: port.default(3200),
});

export interface Config {
  log: { level: 'error' | 'warn' | 'info' | 'debug'; format: 'json' | 'pretty' };
  host: string;
  port: number;
  databaseUrl: string;
  databasePoolSize: number;
  shutdownGraceMs: number;
}

/** @throws EnvironmentError naming every bad variable at once */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const env = readEnvironment(environment, variables);
  return {
    log: {
      level: env.LOG_LEVEL,
      format: env.LOG_FORMAT ?? (env.NODE_ENV === 'production' ? 'json' : 'pretty'),
    },
    host: env.HOST,
    port: env.METRICS_PORT,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    shutdownGraceMs: env.SHUTDOWN_GRACE_SEC * 1000,
  };
}
