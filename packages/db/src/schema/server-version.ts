import type { Client, Pool } from 'pg';

const OLDEST_MAJOR = 14;

export class OlderServerError extends Error {
  override readonly name = 'OlderServerError';
}

export async function assertServerVersion(
  client: Client | Pool,
  oldestMajor = OLDEST_MAJOR,
): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const [found] = rows;
  if (!found || found.number >= oldestMajor * 10_000) return;
  throw new OlderServerError(
    `PostgreSQL ${found.version} is too old: Switchyard requires ${oldestMajor} or later`,
  );
}
