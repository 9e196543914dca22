import type { Client } from '@switchyard/db';

/** A backup of a release before has no such table. */
const FORGET = `
  DO $$ BEGIN
    IF to_regclass('public.session') IS NOT NULL THEN DELETE FROM session; END IF;
  END $$`;

/** What a backup holds may have been ended since: whoever was signed in signs in again. */
export async function forgetSessions(client: Client): Promise<void> {
  await client.query(FORGET);
}
