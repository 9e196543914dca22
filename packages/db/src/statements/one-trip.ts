import type { PoolClient, QueryConfig } from 'pg';
import { borrowConnection } from '../borrowed-connection';
import type { Database, OpenDatabase } from '../database';
import { retryConflicts } from '../retry-conflicts';
import { rowsOf } from './prepared-query';

/** A statement with its values, e.g. a lock that is taken on the way of another. */
export type Bound = QueryConfig & { onePlan?: boolean | 'indexed' };

const BEGIN = 'BEGIN';
/** Of the transaction alone; it travels with its beginning. */
const BEGIN_WITH_ONE_PLAN = `${BEGIN}; SET LOCAL plan_cache_mode = force_generic_plan`;
const BEGIN_WITH_ONE_INDEXED_PLAN = `${BEGIN_WITH_ONE_PLAN}; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off`;

/**
 * Sends all statements at once, as one transaction of their own or as a part of the one that `db` is in, and returns the
 * rows of the last. Under READ COMMITTED each sees what was committed while the one before it waited for its locks.
 * @throws what the first that fails throws; nothing is kept then
 */
export async function inOneTrip(db: Database, statements: Bound[]): Promise<unknown[]> {
  if (db.transaction) return lastOf(await Promise.allSettled(statements.map(db.query)));
  const text = beginOf(statements.at(-1));
  const { pool } = db as OpenDatabase;
  return retryConflicts(async () => {
    const { client, giveBack } = await borrowConnection(pool);
    const send = (bound: Bound) => rowsOf(client, bound);
    try {
      const { begun, sent, committed } = inOneWrite(client, () => ({
        begun: send({ text }),
        sent: statements.map(send),
        // After a failure it rolls back.
        committed: send({ text: 'COMMIT' }),
      }));
      const [before, after, ...results] = await Promise.allSettled([begun, committed, ...sent]);
      return lastOf([before, ...results, ...(after.status === 'rejected' ? [after] : [])]);
    } finally {
      giveBack();
    }
  });
}

function beginOf(last: Bound | undefined): string {
  if (last?.onePlan === 'indexed') return BEGIN_WITH_ONE_INDEXED_PLAN;
  return last?.onePlan ? BEGIN_WITH_ONE_PLAN : BEGIN;
}

/** By itself `pg` writes each statement to its socket on its own: a call of the system and a packet for each. */
function inOneWrite<T>(client: PoolClient, send: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** The first failure is the reason of those behind it. */
function lastOf(settled: PromiseSettledResult<unknown[]>[]): unknown[] {
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return (settled.at(-1) as PromiseFulfilledResult<unknown[]>).value;
}
