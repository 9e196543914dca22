import type { Harness } from './harness';

const TABLES = `
  SELECT format('SELECT %L AS "table", count(*)::int AS rows, md5(coalesce(string_agg(row, %L ORDER BY row), %L)) AS content FROM (SELECT (to_jsonb(t) - %L::text[])::text AS row FROM %I t) t',
    table_name, '', '', $1::text[], table_name) AS query
  FROM information_schema.tables
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'
  ORDER BY table_name`;

/**
 * A fingerprint of every row of the database: equal before and after means that nothing was left
 * behind (guarantee G27). `last_used_at` of keys is part of it unless it is among `except`, so compare
 * requests of one caller.
 */
export async function everything(
  harness: Pick<Harness, 'context'>,
  except: string[] = [],
): Promise<unknown> {
  const { pool } = harness.context.db;
  const { rows } = await pool.query<{ query: string }>(TABLES, [except]);
  const union = rows.map((row) => row.query).join(' UNION ALL ');
  return (await pool.query(`${union} ORDER BY 1`)).rows;
}
