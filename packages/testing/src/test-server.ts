import { Client } from 'pg';

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start the tests with \`npm test\``);
  return value;
}

export function databaseUrl(database: string): string {
  const url = new URL(required('TEST_DATABASE_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

export function redisUrl(): string {
  return required('TEST_REDIS_URL');
}

export async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export const administer = (sql: string): Promise<void> => runSql(databaseUrl('postgres'), sql);
