import type { Client } from '@switchyard/db';

export async function forgetSessions(client: Client): Promise<void> {
  await client.query('DELETE FROM session; DELETE FROM personal_token');
}
