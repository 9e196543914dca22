import type { Pool } from 'pg';
import { borrowConnection } from './borrowed-connection';
import { tookTooLong } from './took-too-long';

/** What statements are sent to: a pool, or the connection of one open transaction. */
export type Sql = Pick<Pool, 'query'>;

/** A transaction that takes longer is rolled back, after the statement that is under way: it holds locks that others wait for. */
const TIMEOUT_MS = 10_000;

/**
 * Runs `work` in one transaction; `BEGIN` travels with its first statement.
 * @throws what `work` throws, and nothing is kept then; an error with code 57014 when it takes longer than `timeoutMs`
 */
export async function inSqlTransaction<T>(
  pool: Pool,
  work: (tx: Sql) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const { client, giveBack, drop } = await borrowConnection(pool);
  let isLate = false;
  let isOver = false;
  const timer = setTimeout(() => {
    isLate = true;
    drop();
  }, timeoutMs);
  const begun = client.query('BEGIN');
  // The statement behind it fails of the same.
  begun.catch(() => undefined);
  const query = async (...asked: [never]) => {
    if (isOver) throw new Error('the transaction is over');
    return client.query(...asked);
  };
  try {
    const result = await work({ query: query as Sql['query'] });
    isOver = true;
    await begun;
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('a statement failed, and its transaction went on');
    return result;
  } catch (error) {
    isOver = true;
    if (isLate) throw tookTooLong(timeoutMs);
    // What made it necessary says more than its own failure.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    giveBack();
  }
}
