import { createRequire } from 'node:module';
import path from 'node:path';
import { problem } from '../problem.mjs';

/** From the packages just installed; the launcher itself has no dependencies. */
export async function withClient(root, url, work) {
  const { Client } = createRequire(path.join(root, 'packages/db/package.json'))('pg');
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

export const databaseName = (url) => decodeURIComponent(new URL(url).pathname.slice(1));

export function withDatabase(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}

/** The collation is fixed: an order of rows must not depend on the machine. */
export async function createDatabases(root, serverUrl, names) {
  await withClient(root, serverUrl, async (client) => {
    const { rows } = await client.query('select datname from pg_database');
    const missing = names.filter((name) => !rows.some(({ datname }) => datname === name));
    for (const name of missing) {
      const options = `template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`;
      await client.query(`create database "${name}" ${options}`).catch((error) => {
        if (!EXISTS_ALREADY.includes(error.code)) throw error;
      });
    }
  });
}

/** Beside a database of the user, on a server that is not ours. */
export async function createBeside(root, url, name, variable) {
  try {
    await createDatabases(root, url, [name]);
  } catch (error) {
    throw problem(
      `The server of ${variable} did not let us make the database "${name}": ${reason(error)}`,
      `Make it by hand (createdb ${name}) or set METRICS_DATABASE_URL; check ${variable}.`,
    );
  }
}

export const reason = (error) =>
  error.message || error.code || error.errors?.map((each) => each.message).join('; ');
