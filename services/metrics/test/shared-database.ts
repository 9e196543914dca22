import { cloneDatabase, runSql } from '@switchyard/testing';
import type { Context } from '../src/context';
import { startService } from './harness';

export async function forgetEverything(
  ownerUrl: string,
  { db, collector }: Context,
): Promise<void> {
  const { rows } = await db.pool.query<{ names: string }>(
    `SELECT string_agg(format('%I', tablename), ', ') AS names FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  );
  await runSql(ownerUrl, `TRUNCATE ${rows[0]?.names}`);
  collector.forgetCandles();
}

export async function openSharedDatabase() {
  const database = await cloneDatabase('metrics');
  return {
    start: async (options: Omit<Parameters<typeof startService>[0], 'url'> = {}) => {
      const service = await startService({ ...options, url: database.url });
      await forgetEverything(database.ownerUrl, service.context);
      const { pool } = service.context.db;
      return {
        ...service,
        rows: async (sql: string) => (await pool.query(sql)).rows,
        asOwner: (sql: string) => runSql(database.ownerUrl, sql),
      };
    },
    drop: () => database.drop(),
  };
}

export type SharedDatabase = Awaited<ReturnType<typeof openSharedDatabase>>;
export type SharedHarness = Awaited<ReturnType<SharedDatabase['start']>>;
