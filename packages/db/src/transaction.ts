import type { QueryConfig } from 'pg';
import { type BorrowedConnection, borrowConnection } from './borrowed-connection';
import type { AfterCommit, Database, OpenDatabase, Transaction } from './database';
import { joinTransaction } from './joined-prisma';
import { retryConflicts } from './retry-conflicts';
import { tookTooLong } from './took-too-long';

const TIMEOUT_MS = 20_000;

/**
 * Runs `work` in one transaction, or joins that of `db`. Repeats `work` after a deadlock or
 * serialization failure, so `work` must have no effect outside the database.
 * @throws an error with code 57014 if the transaction takes longer than 20 seconds
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (db.transaction) return work(db.transaction);
  const open = db as OpenDatabase;
  return retryConflicts(async () => {
    const begun = begin(open, await borrowConnection(open.pool));
    let result: T;
    try {
      result = await work(begun.tx);
    } catch (error) {
      await begun.rollBack();
      throw error;
    }
    await begun.commit();
    return result;
  });
}

const SNAPSHOT = `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL plan_cache_mode = force_generic_plan`;

/** Reads one state of the database; plans each statement once per connection, for all values. */
export async function inSnapshot<T>(
  db: Database,
  read: (db: Transaction) => Promise<T>,
): Promise<T> {
  if (db.transaction) return read(db.transaction);
  return inTransaction(db, async (tx) => {
    await tx.query({ text: SNAPSHOT });
    return read(tx);
  });
}

export function afterCommit(db: Database, action: AfterCommit): void {
  if (db.transaction) db.transaction.afterCommit(action);
  else void action();
}

export function announce(db: Database, topic: string): void {
  if (db.transaction) db.transaction.announce(topic);
  else (db as OpenDatabase).announce(new Set([topic]));
}

function begin(open: OpenDatabase, { client, returnToPool, drop }: BorrowedConnection) {
  const actions: AfterCommit[] = [];
  const topics = new Set<string>();
  let isLate = false;
  let isOver = false;
  const timer = setTimeout(() => {
    isLate = true;
    drop();
  }, TIMEOUT_MS);
  const begun = client.query('BEGIN');
  begun.catch(() => undefined);
  const assertOpen = () => {
    if (isLate) throw tookTooLong(TIMEOUT_MS);
    if (isOver) throw new Error('the transaction has already ended');
  };
  const send = async (config: QueryConfig) => {
    assertOpen();
    return client.query(config);
  };
  const prisma = joinTransaction(() => open.client, send);

  const tx = {
    prisma: prisma.client,
    query: async (config) => (await send(config)).rows,
    afterCommit: (action) => void actions.push(action),
    announce: (topic) => void topics.add(topic),
    get transaction() {
      return tx;
    },
  } as Transaction;

  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    clearTimeout(timer);
    try {
      await begun;
      await prisma.leave();
      const ending = send({ text: how });
      isOver = true;
      const { command } = await ending;
      if (command !== how)
        throw new Error('a transaction must not continue after one of its statements has failed');
    } finally {
      returnToPool();
    }
  };
  return {
    tx,
    commit: async () => {
      await end('COMMIT');
      if (topics.size > 0) open.announce(topics);
      for (const action of actions) await action();
    },
    rollBack: () => end('ROLLBACK').catch(() => undefined),
  };
}
