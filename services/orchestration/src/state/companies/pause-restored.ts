import type { Client } from '@switchyard/db';

export async function pauseRestored(client: Client): Promise<void> {
  await client.query(
    "UPDATE company SET status = 'paused', updated_at = now() WHERE status = 'active'",
  );
}
