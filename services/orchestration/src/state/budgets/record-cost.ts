import {
  announce,
  type Database,
  inTransaction,
  isWriteConflict,
  uniqueViolation,
} from '@switchyard/db';
import { type Recorded, recordCrossing } from './record-over-threshold';
import { type Cost, type CostRow, findByKey, writeCost } from './write-cost';

/** Null when nothing was written or kept: what stands in the way is found out under locks. */
async function writeUnlocked(db: Database, cost: Cost): Promise<CostRow | null> {
  // Inside a transaction a key that is taken would break all of it, so it is looked up under locks.
  if (db.transaction !== null && cost.idempotency) return null;
  return writeCost(db, cost).catch((error: unknown) => {
    if (db.transaction === null && isWriteConflict(error)) return null;
    throw error;
  });
}

/**
 * Records spend: the one way, for agents, the board and adapters. Mostly one statement; only an event
 * that a budget has to look at takes a transaction and the locks of company and agent. The month that
 * counts is that of the database clock now, whatever `occurredAt` says, so that an old date does not
 * evade a budget.
 * @throws ApiError as `recordCrossing` says
 */
export async function recordCost(db: Database, cost: Cost): Promise<Recorded> {
  try {
    const event = await writeUnlocked(db, cost);
    const recorded: Recorded = event
      ? { event, repeated: false }
      : await inTransaction(db, (tx) => recordCrossing(tx, cost));
    if (cost.by && recorded !== 'outdated' && !recorded.repeated) announce(db, cost.companyId);
    return recorded;
  } catch (error) {
    const taken = db.transaction === null && uniqueViolation(error) !== null;
    const event = taken ? await findByKey(db, cost) : null;
    if (event) return { event, repeated: true };
    throw error;
  }
}
