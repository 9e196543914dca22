import type { Client } from 'pg';
import { MIGRATION_LOCK } from '../schema/migration-lock';
import { alignRole } from './align-role';
import { asRole } from './as-role';
import { inDatabase, type RoleUrl } from './role-url';

/**
 * Migrations, backup and restore use the owner's URL; no service receives the owner's or admin's
 * URL.
 */
export interface Roles {
  admin: RoleUrl;
  owner: RoleUrl;
  app: RoleUrl;
}

export interface PrepareOptions {
  ownCluster?: boolean;
}

const EXISTS_ALREADY = ['42P04', '23505'];

const ESCAPES = ['pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'];

function assertThree({ admin, owner, app }: Roles): void {
  for (const [one, other] of [
    [admin, owner],
    [admin, app],
    [owner, app],
  ] as const) {
    if (one.role !== other.role) continue;
    throw new Error(
      `${one.variable} and ${other.variable} must name different roles, but both name "${one.role}": set ${other.variable} to ` +
        `another role, such as ${other === app ? 'switchyard_app' : 'switchyard_owner'}, which is then created`,
    );
  }
}

async function joinOwner(client: Client, owner: string): Promise<void> {
  const may = "SELECT pg_has_role(current_user, $1, 'USAGE') AS may";
  const { rows } = await client.query<{ may: boolean }>(may, [owner]);
  if (rows[0]?.may) return;
  await client.query(`GRANT ${client.escapeIdentifier(owner)} TO CURRENT_USER`);
}

async function leaveOthers(client: Client, { admin, owner, app }: Roles): Promise<void> {
  const { rows } = await client.query<{ member: string; role: string }>(
    `SELECT member::regrole::text AS member, roleid::regrole::text AS role FROM pg_auth_members
     WHERE pg_get_userbyid(member) = $1 AND pg_get_userbyid(roleid) = ANY($2)
       OR pg_get_userbyid(member) = $3 AND pg_get_userbyid(roleid) = ANY($4)`,
    [app.role, [admin.role, owner.role, ...ESCAPES], owner.role, [admin.role, ...ESCAPES]],
  );
  for (const { member, role } of rows) await client.query(`REVOKE ${role} FROM ${member}`);
}

/** Fixes the collation, so that the order of rows does not depend on the machine. */
async function makeDatabase(client: Client, { owner, app }: Roles): Promise<void> {
  const there = 'SELECT 1 FROM pg_database WHERE datname = $1';
  if ((await client.query(there, [app.database])).rows.length > 0) return;
  const [name, to] = [app.database, owner.role].map((text) => client.escapeIdentifier(text));
  const options = `TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`;
  await client.query(`CREATE DATABASE ${name} OWNER ${to} ${options}`).catch((error) => {
    if (!EXISTS_ALREADY.includes(error.code)) throw error;
  });
}

async function closeDatabase(client: Client, { owner, app }: Roles): Promise<void> {
  const [name, to, user] = [app.database, owner.role, app.role].map((text) =>
    client.escapeIdentifier(text),
  );
  await client.query(`ALTER DATABASE ${name} OWNER TO ${to}`);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC, ${user}`);
  await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${to}, ${user}`);
}

async function closeOthers(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datallowconn
       AND (has_database_privilege('public', oid, 'CONNECT') OR has_database_privilege('public', oid, 'TEMP'))`,
  );
  for (const { name } of rows) {
    await client.query(`REVOKE ALL ON DATABASE ${client.escapeIdentifier(name)} FROM PUBLIC`);
  }
}

async function closeSchema(client: Client, { owner, app }: Roles): Promise<void> {
  const [to, user] = [owner.role, app.role].map((text) => client.escapeIdentifier(text));
  const { rows } = await client.query(
    "SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace WHERE nspname = 'public'",
  );
  if (rows[0]?.owner === app.role) await client.query(`ALTER SCHEMA public OWNER TO ${to}`);
  await client.query(`
    REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${user};
    GRANT USAGE, CREATE ON SCHEMA public TO ${to};
    GRANT USAGE ON SCHEMA public TO ${user}`);
}

/**
 * Runs `work` under an advisory lock in one database of the cluster, because concurrent changes to
 * a role or a database fail.
 */
async function inMaintenanceDatabase(admin: RoleUrl, work: (client: Client) => Promise<void>) {
  const name = await asRole(admin, async (client) => {
    const { rows } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'postgres'");
    return rows.length > 0 ? 'postgres' : admin.database;
  });
  await asRole(inDatabase(admin, name), async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await work(client);
  });
}

function explained(error: Error & { code?: string }): Error {
  if (error.code !== '42501') return error;
  return new Error(
    `the role of DATABASE_ADMIN_URL cannot prepare the database: ${error.message}; it must be a ` +
      'superuser, or have CREATEROLE and CREATEDB and be a member of the role that owns the existing tables',
  );
}

/**
 * Creates or corrects the roles and the database, even while services run.
 * @throws Error that names what is missing and the next step
 */
export async function prepareDatabase(roles: Roles, options: PrepareOptions = {}): Promise<void> {
  assertThree(roles);
  const { admin, owner, app } = roles;
  try {
    await inMaintenanceDatabase(admin, async (client) => {
      await alignRole(client, owner);
      await alignRole(client, app);
      await leaveOthers(client, roles);
      await joinOwner(client, owner.role);
      await makeDatabase(client, roles);
      await closeDatabase(client, roles);
      if (options.ownCluster) await closeOthers(client);
    });
    await asRole(inDatabase(admin, app.database), async (client) => {
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await closeSchema(client, roles);
    });
  } catch (error) {
    throw explained(error as Error);
  }
}
