import type { Client } from '@switchyard/db';

/** What ran when the backup was made is not begun anew: the worker that takes it over ends it. */
export async function cancelRestored(client: Client, reason: 'company_paused'): Promise<void> {
  await client.query({
    text: `UPDATE heartbeat_run SET cancel_requested_at = now(), cancel_reason = $1
      WHERE status = 'running' AND cancel_requested_at IS NULL`,
    values: [reason],
  });
}
