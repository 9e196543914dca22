import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { grantDml } from '../roles/grant-dml';
import { hasTable } from './has-table';
import { MIGRATION_LOCK } from './migration-lock';

const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function appliedMigrations(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{
    migration_name: string;
    checksum: string;
    finished_at: Date | null;
  }>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const halfway = rows.find((row) => row.finished_at === null);
  if (halfway) {
    throw new Error(
      `migration ${halfway.migration_name} was started but not finished; repair the database, then ` +
        'set rolled_back_at (to run it again) or finished_at (if it is complete) in its row of _prisma_migrations',
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  await client.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)',
    [id, migration.checksum, migration.name],
  );
  await client.query(migration.sql).catch(async (error: Error) => {
    await client.query('DELETE FROM _prisma_migrations WHERE id = $1', [id]);
    throw new Error(`migration ${migration.name} failed and was rolled back: ${error.message}`);
  });
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1',
    [id],
  );
}

function through(migrations: Migration[], last: string): Migration[] {
  const end = migrations.findIndex((migration) => migration.name === last);
  if (end < 0)
    throw new Error(
      `this release does not contain the migration ${last}: use a release that contains it`,
    );
  return migrations.slice(0, end + 1);
}

async function makeTable(client: Client): Promise<void> {
  if (await hasTable(client, '_prisma_migrations')) return;
  await client.query(CREATE_TABLE).catch((error) => {
    throw new Error(
      `role "${client.user}" cannot migrate: ${error.message}; set DATABASE_OWNER_URL to the role that owns the tables`,
    );
  });
}

/**
 * Applies missing migrations in order, up to `last`, under an advisory lock; returns their names.
 * First grants the role `grantTo` access to all present and future tables, so that running services
 * can use new tables.
 * @throws Error when an applied file has changed, or a migration is missing
 */
export async function migrate(
  url: string,
  directory: string,
  last?: string,
  grantTo?: string,
): Promise<string[]> {
  const all = await readMigrations(directory);
  const migrations = last === undefined ? all : through(all, last);
  const client = new Client({ connectionString: url, application_name: 'switchyard-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await makeTable(client);
    if (grantTo) await grantDml(client, grantTo);
    const applied = await appliedMigrations(client);
    const done: string[] = [];
    for (const migration of migrations) {
      const checksum = applied.get(migration.name);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined) {
        throw new Error(
          `migration ${migration.name} was changed after it was applied: restore its file`,
        );
      }
      await apply(client, migration);
      done.push(migration.name);
    }
    return done;
  } finally {
    await client.end();
  }
}
