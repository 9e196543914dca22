import type { QueryConfig } from 'pg';
import { borrowConnection } from '../borrowed-connection';
import type { Database, OpenDatabase } from '../database';
import { retryConflicts } from '../retry-conflicts';

export type Bound = QueryConfig & { onePlan?: boolean | 'indexed' };

const BEGIN = 'BEGIN';
const BEGIN_WITH_ONE_PLAN = `${BEGIN}; SET LOCAL plan_cache_mode = force_generic_plan`;
const BEGIN_WITH_ONE_INDEXED_PLAN = `${BEGIN_WITH_ONE_PLAN}; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off`;

/**
 * Sends all statements in one round trip and one transaction; returns the rows of the last one.
 * Under READ COMMITTED each statement sees what was committed while the previous one waited for
 * locks.
 */
export async function inOneTrip(db: Database, statements: Bound[]): Promise<unknown[]> {
  if (db.transaction) return lastOf(await Promise.allSettled(statements.map(db.query)));
  const text = beginOf(statements.at(-1));
  const { pool } = db as OpenDatabase;
  return retryConflicts(async () => {
    const { client, returnToPool } = await borrowConnection(pool);
    const send = async (bound: Bound) => (await client.query(bound)).rows;
    try {
      const sent = [{ text }, ...statements, { text: 'COMMIT' }].map(send);
      const results = await Promise.allSettled(sent);
      const committed = results.at(-1)?.status === 'fulfilled';
      return lastOf(committed ? results.slice(0, -1) : results);
    } finally {
      returnToPool();
    }
  });
}

function beginOf(last: Bound | undefined): string {
  if (last?.onePlan === 'indexed') return BEGIN_WITH_ONE_INDEXED_PLAN;
  return last?.onePlan ? BEGIN_WITH_ONE_PLAN : BEGIN;
}

function lastOf(settled: PromiseSettledResult<unknown[]>[]): unknown[] {
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return (settled.at(-1) as PromiseFulfilledResult<unknown[]>).value;
}
