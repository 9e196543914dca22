import type { Pool } from 'pg';
import { borrowConnection } from './borrowed-connection';
import { retryConflicts } from './retry-conflicts';
import { tookTooLong } from './took-too-long';

export type Sql = Pick<Pool, 'query'>;

const TIMEOUT_MS = 10_000;

/**
 * Runs `work` in one transaction; sends `BEGIN` together with the first statement. Repeats `work`
 * after a deadlock or serialization failure, so `work` must have no effect outside the database.
 * @throws an error with code 57014 if the transaction takes longer than `timeoutMs`
 */
export const inSqlTransaction = <T>(
  pool: Pool,
  work: (tx: Sql) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> => retryConflicts(() => attempt(pool, work, timeoutMs));

async function attempt<T>(
  pool: Pool,
  work: (tx: Sql) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const { client, returnToPool, drop } = await borrowConnection(pool);
  let isLate = false;
  let isOver = false;
  const timer = setTimeout(() => {
    isLate = true;
    drop();
  }, timeoutMs);
  const begun = client.query('BEGIN');
  begun.catch(() => undefined);
  const query = async (...asked: [never]) => {
    if (isOver) throw new Error('the transaction has already ended');
    return client.query(...asked);
  };
  try {
    const result = await work({ query: query as Sql['query'] });
    isOver = true;
    await begun;
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('a transaction must not continue after one of its statements has failed');
    return result;
  } catch (error) {
    isOver = true;
    if (isLate) throw tookTooLong(timeoutMs);
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    returnToPool();
  }
}
