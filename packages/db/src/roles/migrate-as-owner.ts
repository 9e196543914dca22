import { migrate } from '../schema/migrate';
import { assertServerVersion } from '../schema/server-version';
import { asRole } from './as-role';
import { type PrepareOptions, prepareDatabase, type Roles } from './prepare-database';
import { inDatabase, readRoleUrl } from './role-url';

type Variables = Record<string, string | undefined>;

export type GivenRoles = Pick<Roles, 'app'> & Partial<Roles> & PrepareOptions;

export function readRoles(env: Variables): GivenRoles {
  const { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_ADMIN_URL, DATABASE_OWN_CLUSTER } = env;
  if (!DATABASE_URL) throw new Error('DATABASE_URL must be set to the address of the database');
  if (DATABASE_ADMIN_URL && !DATABASE_OWNER_URL) {
    throw new Error(
      'DATABASE_ADMIN_URL requires DATABASE_OWNER_URL: set it to the role that owns the tables',
    );
  }
  const app = readRoleUrl('DATABASE_URL', DATABASE_URL);
  const owner =
    DATABASE_OWNER_URL &&
    inDatabase(readRoleUrl('DATABASE_OWNER_URL', DATABASE_OWNER_URL), app.database);
  const admin = DATABASE_ADMIN_URL && readRoleUrl('DATABASE_ADMIN_URL', DATABASE_ADMIN_URL);
  return {
    app,
    ...(owner && { owner }),
    ...(admin && { admin }),
    ownCluster: DATABASE_OWN_CLUSTER === 'true',
  };
}

export async function prepareGiven({ admin, owner, app, ownCluster }: GivenRoles): Promise<void> {
  if (admin && owner) await prepareDatabase({ admin, owner, app }, { ownCluster });
}

export async function migrateAsOwner(given: GivenRoles, directory: string): Promise<string[]> {
  const { app, owner = app, admin } = given;
  await asRole(admin ?? owner, assertServerVersion);
  await prepareGiven(given);
  await asRole(owner, async () => undefined);
  const grantTo = owner.role === app.role ? undefined : app.role;
  return migrate(owner.url, directory, undefined, grantTo);
}
