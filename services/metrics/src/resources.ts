import type { Clock } from '@switchyard/async';
import type { MetricsDatabase } from '@switchyard/db';
import type { Logger } from '@switchyard/server';
import type { Registry } from 'prom-client';
import type { Config } from './config';
import type { Exchange } from './exchange/port';

export interface Resources {
  account: string | null;
  config: Config;
  logger: Logger;
  clock: Clock;
  registry: Registry;
  db: MetricsDatabase;
  exchange: Exchange;
}
