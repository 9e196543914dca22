import type { Client } from '@switchyard/db';

/** A backup of a release before may lack the tables. */
const FORGET = `
  DO $$ BEGIN
    IF to_regclass('public.session') IS NOT NULL THEN DELETE FROM session; END IF;
    IF to_regclass('public.personal_token') IS NOT NULL THEN DELETE FROM personal_token; END IF;
  END $$`;

/** What a backup holds may have been ended since: whoever was signed in signs in again, and makes new tokens. */
export async function forgetSessions(client: Client): Promise<void> {
  await client.query(FORGET);
}
