import type { Client } from '@switchyard/db';
import { haltRestored } from '../deliveries/endpoint-deliveries';
import { cancelRestored } from '../runs/cancel-restored';

/** Every company of a backup comes back paused: nothing starts until somebody has looked. What waits, waits on. */
export async function pauseRestored(client: Client): Promise<void> {
  await client.query(
    "UPDATE company SET status = 'paused', updated_at = now() WHERE status = 'active'",
  );
  await cancelRestored(client, 'company_paused');
  await haltRestored(client);
}
