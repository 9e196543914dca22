import type { Client } from 'pg';

const NO_SUCH_ROLE = '42704';
const DML = 'SELECT, INSERT, UPDATE, DELETE';

/** Skips existing grants, because each GRANT makes every connection plan its statements again. */
const LACKING = `
  SELECT 'pg_class'::regclass AS class, c.oid, CASE c.relkind
      WHEN 'S' THEN format('USAGE, SELECT ON SEQUENCE %s', c.oid::regclass)
      ELSE format('${DML} ON TABLE %s', c.oid::regclass) END AS what
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'
    AND CASE
      WHEN c.relkind = 'S' THEN NOT (SELECT bool_and(has_sequence_privilege($1, c.oid, word))
        FROM unnest(ARRAY['USAGE', 'SELECT']) word)
      WHEN c.relkind IN ('r', 'p', 'v') THEN NOT (SELECT bool_and(has_table_privilege($1, c.oid, word))
        FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) word)
      ELSE false END
  UNION ALL
  SELECT 'pg_proc'::regclass, p.oid, format('EXECUTE ON ROUTINE %s', p.oid::regprocedure)
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND NOT has_function_privilege($1, p.oid, 'EXECUTE')`;

const OF_NO_EXTENSION = `
  SELECT what FROM (${LACKING}) lacking WHERE NOT EXISTS (SELECT 1 FROM pg_depend d
    WHERE d.classid = lacking.class AND d.objid = lacking.oid AND d.deptype = 'e')
  ORDER BY what`;

export async function grantDml(client: Client, role: string): Promise<void> {
  const to = `TO ${client.escapeIdentifier(role)}`;
  const later = 'ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT';
  try {
    await client.query(`
      BEGIN;
      GRANT USAGE ON SCHEMA public ${to};
      GRANT SELECT ON _prisma_migrations ${to};
      ${later} ${DML} ON TABLES ${to};
      ${later} USAGE, SELECT ON SEQUENCES ${to};
      ${later} EXECUTE ON FUNCTIONS ${to}`);
    const { rows } = await client.query<{ what: string }>(OF_NO_EXTENSION, [role]);
    for (const { what } of rows) await client.query(`GRANT ${what} ${to}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const { code, message } = error as { code?: string; message: string };
    const next =
      code === NO_SUCH_ROLE
        ? `create it (CREATE ROLE "${role}" LOGIN PASSWORD '…'), or set DATABASE_ADMIN_URL to have it created`
        : 'DATABASE_OWNER_URL must name the role that owns the tables; a superuser can change the owner with REASSIGN OWNED';
    throw new Error(
      `role "${role}" of DATABASE_URL cannot be granted its rights: ${message}; ${next}`,
    );
  }
}
