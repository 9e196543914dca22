import type { Pool } from 'pg';
import type { Prisma as MetricsPrisma, PrismaClient } from './generated/metrics/client';
import { openPool, type PoolOptions } from './pool';

/** Inside a transaction of Prisma's client, or outside of one. */
export type MetricsReader = MetricsPrisma.TransactionClient;

export interface MetricsDatabase {
  /** For routes that are asked now and then: loaded on first use, it costs a process 40 MB. */
  readonly client: PrismaClient;
  readonly pool: Pool;
  close(): Promise<void>;
}

export function openMetricsDatabase(options: PoolOptions): MetricsDatabase {
  const pool = openPool(options);
  let client: PrismaClient | undefined;
  return {
    get client() {
      client ??= openClient(pool);
      return client;
    },
    pool,
    close: async () => {
      await client?.$disconnect();
      await pool.end();
    },
  };
}

function openClient(pool: Pool): PrismaClient {
  const { PrismaPg } = require('@prisma/adapter-pg') as typeof import('@prisma/adapter-pg');
  const generated =
    require('./generated/metrics/client') as typeof import('./generated/metrics/client');
  return new generated.PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' });
}

export type { MetricsPrisma };
