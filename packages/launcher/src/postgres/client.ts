import { UserError } from '@switchyard/bootstrap/user-error';
import { Client } from 'pg';

export interface PostgresServer {
  port: number;
  password: string;
  roles: Record<string, string>;
}

export const SUPERUSER = 'switchyard';

export const ROLES = {
  owner: 'switchyard_owner',
  orchestration: 'switchyard_app',
  metrics: 'switchyard_metrics',
};

export const urlOf = (
  { password, port }: Pick<PostgresServer, 'password' | 'port'>,
  database = 'postgres',
) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

export const roleUrlOf = (
  { roles, port }: PostgresServer,
  role: keyof typeof ROLES,
  database: string,
) => `postgresql://${ROLES[role]}:${roles[role]}@127.0.0.1:${port}/${database}`;

export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const EXISTS_ALREADY = ['42P04', '23505'];

export async function createDatabase(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    const options = `template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`;
    await client.query(`create database "${name}" ${options}`).catch((error) => {
      if (!EXISTS_ALREADY.includes(error.code)) throw error;
    });
  });
}

export async function createSiblingDatabase(
  url: string,
  name: string,
  variable: string,
): Promise<void> {
  try {
    await createDatabase(url, name);
  } catch (error) {
    throw new UserError(
      `The server of ${variable} refused to create the database "${name}": ${reason(error)}`,
      `Create it by hand (createdb ${name}), or set METRICS_DATABASE_URL; check ${variable}.`,
    );
  }
}

export const databaseName = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

export function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${encodeURIComponent(name)}` }).href;
}

function reason(thrown: unknown): string | undefined {
  const { message, code, errors } = thrown as Error & { code?: string; errors?: Error[] };
  return message || code || errors?.map((each) => each.message).join('; ');
}
