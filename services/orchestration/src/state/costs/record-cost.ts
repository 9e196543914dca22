import { type Database, isWriteConflict, uniqueViolation } from '@switchyard/db';
import { type Call, inTransaction } from '../../kernel/call';
import { type Recorded, recordOverThreshold } from './record-over-threshold';
import { type Cost, type CostRow, findByKey, writeCost } from './write-cost';

/**
 * Records spend for agents, the board and adapters. Only an event that may reach a budget needs a
 * transaction and the locks of company and agent. The spend counts in the database's current month
 * regardless of `occurredAt`, so that an old date cannot evade a budget.
 * @throws ApiError see `recordOverThreshold`
 */
export async function recordCost(call: Call, cost: Cost): Promise<Recorded> {
  const { db } = call;
  try {
    const event = await writeUnlocked(db, cost);
    if (event) return { event, repeated: false };
    return await inTransaction(call, (tx) => recordOverThreshold(tx, cost));
  } catch (error) {
    const taken = db.transaction === null && uniqueViolation(error) !== null;
    const event = taken ? await findByKey(db, cost) : null;
    if (event) return { event, repeated: true };
    throw error;
  }
}

async function writeUnlocked(db: Database, cost: Cost): Promise<CostRow | null> {
  // In an open transaction, `recordOverThreshold` looks up the idempotency key under locks, because
  // an insert with a key that is already taken would abort the transaction.
  if (db.transaction !== null && cost.idempotency) return null;
  return writeCost(db, cost).catch((error: unknown) => {
    if (db.transaction === null && isWriteConflict(error)) return null;
    throw error;
  });
}
