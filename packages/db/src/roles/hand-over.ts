import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const LOCK_NOT_AVAILABLE = '55P03';
const ATTEMPTS = 30;

/**
 * Everything in schema public that somebody else owns, but what belongs to an extension. Sequences of
 * columns, indexes and array types follow what they belong to. (REASSIGN OWNED would be one statement, and
 * refuses the cluster's first superuser, whose objects these were.)
 */
const FOREIGN = `
  WITH owned AS (
    SELECT 'pg_class'::regclass AS class, c.oid, c.relowner AS owner, c.oid::regclass::text AS name,
      CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE'
        WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND NOT (c.relkind = 'S' AND EXISTS (SELECT 1 FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
          AND d.refobjsubid > 0))
    UNION ALL
    SELECT 'pg_proc'::regclass, p.oid, p.proowner, p.oid::regprocedure::text, 'ROUTINE'
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'pg_type'::regclass, t.oid, t.typowner, t.oid::regtype::text, 'TYPE'
    FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE t.typnamespace = 'public'::regnamespace
      AND (t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
    UNION ALL
    SELECT 'pg_statistic_ext'::regclass, s.oid, s.stxowner, format('public.%I', s.stxname), 'STATISTICS'
    FROM pg_statistic_ext s WHERE s.stxnamespace = 'public'::regnamespace)
  SELECT kind, name FROM owned
  WHERE pg_get_userbyid(owner) <> $1 AND NOT EXISTS (SELECT 1 FROM pg_depend d
    WHERE d.classid = owned.class AND d.objid = owned.oid AND d.deptype = 'e')
  ORDER BY kind, name`;

/** Services may be at work on the table: who waits long for a lock makes all others wait behind it. */
async function patiently(client: Client, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt >= ATTEMPTS) {
        throw error;
      }
      await delay(200);
    }
  }
}

/**
 * Makes `owner` the owner of all that an installation from before has, one object at a time: what was done
 * when it is interrupted stays done. Each table stays open to `app` without a gap. Answers how many there were.
 */
export async function handOver(client: Client, owner: string, app: string): Promise<number> {
  const [to, user] = [client.escapeIdentifier(owner), client.escapeIdentifier(app)];
  const { rows } = await client.query<{ kind: string; name: string }>(FOREIGN, [owner]);
  await client.query("SET lock_timeout = '2s'");
  for (const { kind, name } of rows) {
    const change = `ALTER ${kind} ${name} OWNER TO ${to}`;
    const keep = `GRANT SELECT, INSERT, UPDATE, DELETE ON ${name} TO ${user}`;
    const isOpen = kind === 'TABLE' && name !== '_prisma_migrations';
    await patiently(client, isOpen ? `${change}; ${keep}` : change).catch((error) => {
      throw new Error(
        `${name} cannot be handed over to role "${owner}": ${error.message}; let a superuser, or who ` +
          `owns it, run: ${change}`,
      );
    });
  }
  return rows.length;
}
