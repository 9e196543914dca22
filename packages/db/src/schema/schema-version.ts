import { withTimeout } from '@switchyard/async';
import type { Pool } from 'pg';
import { NEWEST_MIGRATION } from '../generated/newest-migration';
import { assertServerVersion, OlderServerError } from './server-version';

export const SCHEMA_VERSION = NEWEST_MIGRATION;

type Product = keyof typeof SCHEMA_VERSION;

class OlderSchemaError extends Error {
  override readonly name = 'OlderSchemaError';
}

const UNDEFINED_TABLE = '42P01';

const NEWEST = `
  SELECT max(migration_name) FILTER (WHERE finished_at IS NOT NULL) AS newest,
    coalesce(bool_or(migration_name = $1 AND finished_at IS NOT NULL), false) AS is_there
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`;

/**
 * Accepts a newer schema, because migrations stay compatible with the previous version
 * (UPGRADING.md).
 */
export async function assertSchemaVersion(pool: Pool, product: Product): Promise<void> {
  const needed = SCHEMA_VERSION[product];
  const { rows } = await pool
    .query<{ newest: string | null; is_there: boolean }>({
      name: 'schema-version',
      text: NEWEST,
      values: [needed],
    })
    .catch((error) => {
      if (error.code === UNDEFINED_TABLE) return { rows: [] };
      throw error;
    });
  if (rows[0]?.is_there) return;
  const found = rows[0]?.newest ? `is at migration ${rows[0].newest}` : 'was never migrated';
  throw new OlderSchemaError(
    `the ${product} database ${found}, but this release requires ${needed}: run its migrations first`,
  );
}

const DEADLINE_MS = 3_000;

export async function refuseOlderSchema(pool: Pool, product: Product): Promise<void> {
  const checked = check(pool, product).catch((error: unknown) => {
    if (error instanceof OlderSchemaError || error instanceof OlderServerError) throw error;
  });
  await withTimeout(checked, DEADLINE_MS, () => undefined);
}

async function check(pool: Pool, product: Product): Promise<void> {
  await assertServerVersion(pool);
  await assertSchemaVersion(pool, product);
}
