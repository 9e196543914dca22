import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '../schema/migration-lock';
import { type DescribedTable, describeTables, schemaVersionOf } from './describe-database';
import { type DumpFile, writeCompressed } from './dump-file';

export interface DumpedTable extends DescribedTable {
  rows: number;
  file: DumpFile;
}

export interface DumpedDatabase {
  schema: string;
  tables: DumpedTable[];
  sequences: Record<string, string>;
}

export const PATIENT = 'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0';

const SEQUENCES = `
  SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`;

/**
 * Reads each sequence itself, because `pg_sequences.last_value` is null for a sequence that has not
 * been used since it was set.
 */
async function readSequences(client: Client): Promise<Record<string, string>> {
  const sequences: Record<string, string> = {};
  const { rows: found } = await client.query<{ name: string }>(SEQUENCES);
  for (const { name } of found) {
    const { rows } = await client.query<{ last: string }>(
      `SELECT (last_value - (NOT is_called)::int)::text AS last FROM public.${client.escapeIdentifier(name)}`,
    );
    sequences[name] = rows[0]?.last ?? '0';
  }
  return sequences;
}

async function dumpTable(
  client: Client,
  root: string,
  folder: string,
  table: DescribedTable,
): Promise<DumpedTable> {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const source = client.query(
    copyTo(`COPY public.${client.escapeIdentifier(table.name)} (${columns}) TO STDOUT`),
  );
  const path = `${folder}/${table.name}.copy.gz`;
  const written = await writeCompressed(join(root, path), source);
  return { ...table, rows: source.rowCount, file: { path, ...written } };
}

/**
 * Copies every table of one snapshot into `root/folder`. Services may write meanwhile; migrations
 * wait. Uses COPY's text format, which every PostgreSQL version reads.
 * @throws Error when the database was never migrated, or is being migrated
 */
export async function dumpDatabase(
  url: string,
  root: string,
  folder: string,
): Promise<DumpedDatabase> {
  const client = new Client({ connectionString: url, application_name: 'switchyard-backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(PATIENT);
    const lock = 'SELECT pg_try_advisory_lock_shared($1) AS taken';
    const { rows } = await client.query<{ taken: boolean }>(lock, [MIGRATION_LOCK]);
    if (!rows[0]?.taken)
      throw new Error(`a migration of the ${folder} database is running; try again later`);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const schema = await schemaVersionOf(client);
    if (schema === null) throw new Error(`the ${folder} database has no Switchyard tables`);
    await mkdir(join(root, folder), { mode: 0o700 });
    const tables: DumpedTable[] = [];
    for (const table of await describeTables(client)) {
      tables.push(await dumpTable(client, root, folder, table));
    }
    return { schema, tables, sequences: await readSequences(client) };
  } finally {
    await client.end();
  }
}
