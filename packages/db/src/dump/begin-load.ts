import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { describeTables, firstFilled, schemaVersionOf } from './describe-database';
import { type DumpedDatabase, type DumpedTable, PATIENT } from './dump-database';
import { readCompressed } from './dump-file';

export interface Load {
  commit(): Promise<void>;
  close(): Promise<void>;
}

export interface LoadOptions {
  url: string;
  name: string;
  root: string;
  dump: DumpedDatabase;
  disposable: string[];
  adapt?(client: Client): Promise<void>;
}

const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name,
    pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`;

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function lockEmpty(client: Client, options: LoadOptions): Promise<void> {
  const { name, dump, disposable } = options;
  const tables = await describeTables(client);
  const named = (all: string[]) =>
    all.map((table) => `public.${client.escapeIdentifier(table)}`).join(', ');
  await client.query(
    `LOCK TABLE ${named(tables.map((table) => table.name))} IN ACCESS EXCLUSIVE MODE`,
  );
  const version = await schemaVersionOf(client);
  if (version !== dump.schema) {
    throw new Error(
      `the ${name} database must be at migration ${dump.schema}, like the backup, but is at ${version}`,
    );
  }
  const present = disposable.filter((one) => tables.some((table) => table.name === one));
  if (present.length > 0) await client.query(`TRUNCATE ${named(present)}`);
  const filled = await firstFilled(client, tables);
  if (filled) throw new Error(`the ${name} database must be empty, but "${filled}" contains rows`);
}

async function loadTable(client: Client, root: string, table: DumpedTable): Promise<void> {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const target = client.query(
    copyFrom(`COPY public.${client.escapeIdentifier(table.name)} (${columns}) FROM STDIN`),
  );
  await pipeline(readCompressed(join(root, table.file.path)), target);
  if (target.rowCount !== table.rows) {
    throw new Error(`"${table.name}" has ${target.rowCount} rows instead of ${table.rows}`);
  }
}

async function setTriggers(
  client: Client,
  tables: readonly DumpedTable[],
  to: 'ENABLE' | 'DISABLE',
): Promise<void> {
  for (const { name } of tables) {
    await client.query(`ALTER TABLE public.${client.escapeIdentifier(name)} ${to} TRIGGER USER`);
  }
}

/** Uses `ALTER SEQUENCE`, because a rollback does not undo `setval`. */
export async function advance(client: Client, sequence: string, last: bigint): Promise<void> {
  const name = client.escapeIdentifier(sequence);
  await client.query(`ALTER SEQUENCE public.${name} RESTART WITH ${last + 1n}`);
}

/**
 * Drops the foreign keys before loading, because tables refer to each other in cycles. Recreating
 * the keys checks every row. Disables triggers, because the dump already contains the rows that
 * they wrote.
 */
async function fill(client: Client, options: LoadOptions): Promise<void> {
  await setTriggers(client, options.dump.tables, 'DISABLE');
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS);
  for (const { table, name } of keys) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  for (const table of options.dump.tables) await loadTable(client, options.root, table);
  await setTriggers(client, options.dump.tables, 'ENABLE');
  for (const [sequence, last] of Object.entries(options.dump.sequences)) {
    await advance(client, sequence, BigInt(last));
  }
  await options.adapt?.(client);
  for (const { table, name, definition } of keys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
}

/**
 * Loads an empty database of the dump's schema version in one transaction, which the caller
 * commits.
 * @throws Error if the database has rows or another version, or if a file does not match; nothing
 * is written then
 */
export async function beginLoad(options: LoadOptions): Promise<Load> {
  const client = new Client({
    connectionString: options.url,
    application_name: 'switchyard-restore',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`${PATIENT}; SET lock_timeout = '10s'`);
    await client.query('BEGIN');
    await lockEmpty(client, options);
    await fill(client, options);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    commit: async () => {
      await client.query('COMMIT');
      await client.end();
    },
    close: () => client.end(),
  };
}
