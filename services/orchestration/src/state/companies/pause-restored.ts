import type { Client } from '@switchyard/db';
import { haltRestored } from '../deliveries/endpoint-deliveries';
import { cancelRestored } from '../runs/cancel-restored';

/**
 * Pauses every restored company, so that nothing starts until an operator resumes it. Queued work
 * stays queued.
 */
export async function pauseRestored(client: Client): Promise<void> {
  await client.query(
    "UPDATE company SET status = 'paused', updated_at = now() WHERE status = 'active'",
  );
  await cancelRestored(client, 'company_paused');
  await haltRestored(client);
}
