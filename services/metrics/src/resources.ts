import type { MetricsDatabase } from '@switchyard/db';
import type { Logger } from '@switchyard/server';
import type { Registry } from 'prom-client';
import type { Clock } from './clock';
import type { Config } from './config';
import type { Exchange } from './exchange/port';

/** What every part of the service works with. */
export interface Resources {
  /** Which of several accounts these are for; null where there is one. */
  account: string | null;
  config: Config;
  logger: Logger;
  clock: Clock;
  /** The numbers that Prometheus reads; each part registers its own. */
  registry: Registry;
  db: MetricsDatabase;
  exchange: Exchange;
}
