import type { Client } from 'pg';
import { hasTable } from '../schema/has-table';

export interface DescribedTable {
  name: string;
  columns: string[];
}

const MIGRATIONS = '_prisma_migrations';

const TABLES = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '${MIGRATIONS}'
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.relname ORDER BY c.relname`;

export async function describeTables(client: Client): Promise<DescribedTable[]> {
  return (await client.query<DescribedTable>(TABLES)).rows;
}

export async function schemaVersionOf(client: Client): Promise<string | null> {
  if (!(await hasTable(client, MIGRATIONS))) return null;
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM ${MIGRATIONS}
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1 DESC LIMIT 1`,
  );
  return rows[0]?.name ?? null;
}

export async function firstFilled(
  client: Client,
  tables: DescribedTable[],
): Promise<string | null> {
  for (const { name } of tables) {
    const { rows } = await client.query(
      `SELECT 1 FROM public.${client.escapeIdentifier(name)} LIMIT 1`,
    );
    if (rows.length > 0) return name;
  }
  return null;
}
