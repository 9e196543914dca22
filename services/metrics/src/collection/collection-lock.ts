import type { Pool } from '@switchyard/db';

const LOCK_SPACE = 0x6d657472;

/**
 * Runs `work` while no other process runs it for the same id. The lock belongs to a connection of its own:
 * it ends with the process, so an id can be collected again at once after a crash.
 * @throws Error when another process keeps it longer than `waitMs`
 */
export async function withCollectionLock<T>(
  locks: Pool,
  collectionId: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = await locks.connect();
  let lost = false;
  const onError = () => {
    lost = true;
  };
  client.on('error', onError);
  try {
    await client.query("SELECT set_config('lock_timeout', $1, false)", [`${waitMs}ms`]);
    await client.query("SELECT set_config('statement_timeout', $1, false)", [`${waitMs + 500}ms`]);
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_SPACE, collectionId]);
    try {
      return await work();
    } finally {
      const unlock = 'SELECT pg_advisory_unlock($1, hashtext($2))';
      await client.query(unlock, [LOCK_SPACE, collectionId]).catch(onError);
    }
  } catch (error) {
    lost = true;
    throw error;
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}
