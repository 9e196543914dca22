import type { QueryConfig } from 'pg';
import { borrowConnection } from '../borrowed-connection';
import type { Database, OpenDatabase } from '../database';
import { retryConflicts } from '../retry-conflicts';

/**
 * Sends all statements at once, as one transaction of their own or as a part of the one that `db` is in, and returns the
 * rows of the last. Under READ COMMITTED each sees what was committed while the one before it waited for its locks.
 * @throws what the first that fails throws; nothing is kept then
 */
export async function inOneTrip(db: Database, statements: QueryConfig[]): Promise<unknown[]> {
  if (db.transaction) return lastOf(await Promise.allSettled(statements.map(db.query)));
  const { pool } = db as OpenDatabase;
  return retryConflicts(async () => {
    const { client, giveBack } = await borrowConnection(pool);
    const send = async (config: QueryConfig) => (await client.query(config)).rows as unknown[];
    try {
      const begun = send({ text: 'BEGIN' });
      const sent = statements.map(send);
      // After a failure it rolls back.
      const committed = send({ text: 'COMMIT' });
      const [before, after, ...results] = await Promise.allSettled([begun, committed, ...sent]);
      return lastOf([before, ...results, ...(after.status === 'rejected' ? [after] : [])]);
    } finally {
      giveBack();
    }
  });
}

/** The first failure is the reason of those behind it. */
function lastOf(settled: PromiseSettledResult<unknown[]>[]): unknown[] {
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return (settled.at(-1) as PromiseFulfilledResult<unknown[]>).value;
}
