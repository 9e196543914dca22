import { type Database, databaseInside, type OpenDatabase, type Tx } from './database';
import { isWriteConflict } from './database-errors';

type AfterCommit = () => void | Promise<void>;

const pending = new WeakMap<object, AfterCommit[]>();

const MAX_ATTEMPTS = 4;
const LIMITS = { maxWait: 5_000, timeout: 20_000 };

/** Runs after the outermost transaction has committed, and never when it is rolled back. */
export function afterCommit(tx: Tx, action: AfterCommit): void {
  const actions = pending.get(tx);
  if (!actions) throw new Error('afterCommit needs the transaction that inTransaction gave');
  actions.push(action);
}

function isOpenDatabase(db: Database): db is OpenDatabase {
  return db.tx === null;
}

/**
 * Runs `work` in one transaction, or joins the one that `db` already stands in. A deadlock or a
 * serialization conflict starts it again, so `work` must have no effect outside the database.
 */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!isOpenDatabase(db)) return work(db.tx as Tx);
  for (let attempt = 1; ; attempt++) {
    const actions: AfterCommit[] = [];
    try {
      const result = await db.client.$transaction(async (client) => {
        const tx = client as Tx;
        pending.set(tx, actions);
        return work(tx);
      }, LIMITS);
      for (const action of actions) await action();
      return result;
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isWriteConflict(error)) throw error;
    }
  }
}

/** Like `inTransaction`, for a caller that hands a whole `Database` on to code that opens its own. */
export function inTransactionDatabase<T>(
  db: Database,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  return inTransaction(db, (tx) => work(databaseInside(tx)));
}
