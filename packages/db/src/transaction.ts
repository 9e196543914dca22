import { type Database, databaseInside, type OpenDatabase, type Tx } from './database';
import { isWriteConflict } from './database-errors';

type AfterCommit = () => void | Promise<void>;

interface Pending {
  actions: AfterCommit[];
  topics: Set<string>;
  counted: string[];
}

const pending = new WeakMap<object, Pending>();

const MAX_ATTEMPTS = 4;
const LIMITS = { maxWait: 8_000, timeout: 20_000 };

/** Runs after the outermost transaction has committed, and never when it is rolled back. */
export function afterCommit(tx: Tx, action: AfterCommit): void {
  pendingOf(tx).actions.push(action);
}

/** Has `name` counted once the transaction is true; what is rolled back or tried again counts once or not. */
export function countAfterCommit(tx: Tx, name: string): void {
  pendingOf(tx).counted.push(name);
}

/** Has `topic` announced after the commit, once however often one transaction asks for it. */
export function announceAfterCommit(tx: Tx, topic: string): void {
  pendingOf(tx).topics.add(topic);
}

/** Has `topic` announced: after the commit of the transaction that `db` stands in, else at once. */
export function announce(db: Database, topic: string): void {
  if (isOpenDatabase(db)) db.announce(new Set([topic]));
  else announceAfterCommit(db.tx as Tx, topic);
}

function pendingOf(tx: Tx): Pending {
  const found = pending.get(tx);
  if (!found) throw new Error('needs the transaction that inTransaction gave');
  return found;
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
    const after: Pending = { actions: [], topics: new Set(), counted: [] };
    try {
      const result = await db.client.$transaction(async (client) => {
        const tx = client as Tx;
        pending.set(tx, after);
        return work(tx);
      }, LIMITS);
      if (after.topics.size > 0) db.announce(after.topics);
      for (const name of after.counted) db.count(name);
      for (const action of after.actions) await action();
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
