import type { Pool } from '@switchyard/db';

const LOCK_SPACE = 0x6d657472;

/**
 * Waits until no other process collects this id. The lock belongs to a separate connection, so a
 * crash releases it.
 * @returns a function that releases the lock
 * @throws Error when another process holds the lock for longer than `waitMs`
 */
export async function lockCollection(
  locks: Pool,
  collectionId: string,
  waitMs: number,
): Promise<() => Promise<void>> {
  const client = await locks.connect();
  let isBroken = false;
  const onError = () => {
    isBroken = true;
  };
  client.on('error', onError);
  const release = () => {
    client.off('error', onError);
    client.release(isBroken);
  };
  try {
    await client.query("SELECT set_config('lock_timeout', $1, false)", [`${waitMs}ms`]);
    await client.query("SELECT set_config('statement_timeout', $1, false)", [`${waitMs + 500}ms`]);
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_SPACE, collectionId]);
  } catch (error) {
    onError();
    release();
    throw error;
  }
  return async () => {
    const unlock = 'SELECT pg_advisory_unlock($1, hashtext($2))';
    await client.query(unlock, [LOCK_SPACE, collectionId]).catch(onError);
    release();
  };
}
