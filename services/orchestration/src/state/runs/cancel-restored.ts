import type { Client } from '@switchyard/db';

/** Cancels runs that were running during the backup; the worker that takes them over ends them. */
export async function cancelRestored(client: Client, reason: 'company_paused'): Promise<void> {
  await client.query({
    text: `UPDATE heartbeat_run SET cancel_requested_at = now(), cancel_reason = $1
      WHERE status = 'running' AND cancel_requested_at IS NULL`,
    values: [reason],
  });
}
