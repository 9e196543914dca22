import type { Client } from 'pg';

export async function hasTable(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS found', [
    `public.${client.escapeIdentifier(name)}`,
  ]);
  return rows[0].found;
}
