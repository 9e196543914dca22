import { Client } from 'pg';

export interface RoleUrl {
  variable: string;
  url: string;
  role: string;
  password: string | null;
  database: string;
}

export function readRoleUrl(variable: string, url: string): RoleUrl {
  try {
    const { user, password, database } = new Client({ connectionString: url });
    if (!user || !database || !URL.canParse(url))
      throw new Error('it must contain a role and a database');
    return { variable, url, role: user, password: password || null, database };
  } catch (error) {
    throw new Error(
      `${variable} is not valid (${(error as Error).message}): write it as ` +
        'postgresql://role:password@host:5432/database, with special characters percent-encoded',
    );
  }
}

export function inDatabase(roleUrl: RoleUrl, database: string): RoleUrl {
  const changed = new URL(roleUrl.url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return { ...roleUrl, url: changed.href, database };
}
