import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { type Prisma as MetricsPrisma, PrismaClient } from './generated/metrics/client';
import { openPool, type PoolOptions } from './pool';

export type MetricsReader = MetricsPrisma.TransactionClient;

export interface MetricsDatabase {
  readonly client: PrismaClient;
  readonly pool: Pool;
  close(): Promise<void>;
}

export function openMetricsDatabase(options: PoolOptions): MetricsDatabase {
  const pool = openPool(options);
  let client: PrismaClient | undefined;
  return {
    get client() {
      client ??= new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' });
      return client;
    },
    pool,
    close: async () => {
      await client?.$disconnect();
      await pool.end();
    },
  };
}

export type { MetricsPrisma };
