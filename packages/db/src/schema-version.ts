import type { Pool } from 'pg';

/** The newest migration that this code was written for; a test keeps it equal to the folders. */
export const SCHEMA_VERSION = {
  orchestration: '0008_add_routines',
  metrics: '0001_create_collection',
} as const;

/** @throws Error when the database is older than the code (guarantee G29: readiness) */
export async function assertSchemaVersion(
  pool: Pool,
  product: keyof typeof SCHEMA_VERSION,
): Promise<void> {
  const { rows } = await pool.query({
    name: 'schema-version',
    text: 'SELECT 1 FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NOT NULL',
    values: [SCHEMA_VERSION[product]],
  });
  if (rows.length === 0) {
    throw new Error(`the database has not reached migration ${SCHEMA_VERSION[product]}`);
  }
}
