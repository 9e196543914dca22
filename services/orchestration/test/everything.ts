import type { Harness } from './harness';

const TABLES = `
  SELECT format(
    'SELECT %L AS "table", count(*)::int AS rows, sum(hashtextextended(%s, 0)) AS content FROM %I t',
    relname,
    CASE WHEN relname = 'session' THEN $$(to_jsonb(t) - '{last_seen_at,expires_at}'::text[])::text$$
      WHEN relname = 'personal_token' THEN $$(to_jsonb(t) - '{last_used_at}'::text[])::text$$
      WHEN EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attname = ANY ($1::text[]))
      THEN format('(to_jsonb(t) - %L::text[])::text', $1::text[]) ELSE 't::text' END,
    relname) AS query
  FROM pg_class c
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
  ORDER BY relname`;

/**
 * A fingerprint of every row of the database, but for when a session or a personal token was last seen: equal before and
 * after means that nothing was left behind. `last_used_at` of keys is part of it unless it is among `except`, so compare
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
