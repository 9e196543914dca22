import {
  announce,
  type Database,
  inTransaction,
  isWriteConflict,
  newId,
  uniqueViolation,
} from '@switchyard/db';
import { type Actor, actorColumns } from '../../access/actor';
import { recordCrossing } from './record-crossing';
import { FIND_BY_KEY, RECORD } from './record-cost-sql';

export interface Cost {
  companyId: string;
  agentId: string;
  runId: string | null;
  /** The claim that reports it; an outdated one writes nothing (guarantee G2). */
  epoch: number | null;
  issueId: string | null;
  projectId: string | null;
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** Null when nobody told a price. */
  costCents: number | null;
  occurredAt: string | null;
  /** `contentHash` tells a repetition of the key from another use of it. */
  idempotency: { key: string; contentHash: string } | null;
  /** Who is named in the activity; null for what an adapter reports. */
  by: { actor: Actor; runId: string | null } | null;
}

export interface CostRow {
  id: string;
  companyId: string;
  agentId: string;
  issueId: string | null;
  projectId: string | null;
  goalId: string | null;
  runId: string | null;
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  costCents: number;
  unpriced: boolean;
  occurredAt: Date;
  createdAt: Date;
  contentHash: string | null;
}

/** The one statement that records spend; answers null when it wrote nothing. */
export async function writeCost(db: Database, cost: Cost): Promise<CostRow | null> {
  const { actorType, actorId } = cost.by
    ? actorColumns(cost.by.actor)
    : { actorType: null, actorId: null };
  const [row] = await db.rows<CostRow>('record-cost', RECORD, [
    newId(),
    cost.companyId,
    cost.agentId,
    cost.runId,
    cost.epoch,
    cost.issueId,
    cost.projectId,
    cost.provider,
    cost.model,
    String(cost.inputTokens),
    String(cost.outputTokens),
    String(cost.costCents ?? 0),
    cost.costCents === null,
    cost.occurredAt,
    cost.idempotency?.key ?? null,
    cost.idempotency?.contentHash ?? null,
    newId(),
    actorType,
    actorId,
    cost.by?.runId ?? null,
  ]);
  return row ?? null;
}

export async function findByKey(db: Database, cost: Cost): Promise<CostRow | null> {
  if (!cost.idempotency) return null;
  const values = [cost.companyId, cost.idempotency.key];
  const [row] = await db.rows<CostRow>('find-cost-by-key', FIND_BY_KEY, values);
  return row ?? null;
}

/** Nothing was written, or nothing was kept: what stands in the way is found out under locks. */
async function writeUnlocked(db: Database, cost: Cost): Promise<CostRow | null> {
  return writeCost(db, cost).catch((error: unknown) => {
    if (db.tx === null && isWriteConflict(error)) return null;
    throw error;
  });
}

export type Recorded = { event: CostRow; repeated: boolean } | 'outdated';

/**
 * Records spend: the one way, for agents, the board and adapters. Mostly one statement; only an event
 * that a budget has to look at takes a transaction and the locks of company and agent. The month that
 * counts is that of the database clock now, whatever `occurredAt` says, so that an old date does not
 * evade a budget.
 * @throws Refusal as `recordCrossing` says
 */
export async function recordCost(db: Database, cost: Cost): Promise<Recorded> {
  // Inside a transaction a key that is taken would break all of it, so it is looked up before.
  const known = db.tx ? await findByKey(db, cost) : null;
  if (known) return { event: known, repeated: true };
  try {
    const event = await writeUnlocked(db, cost);
    const recorded: Recorded = event
      ? { event, repeated: false }
      : await inTransaction(db, (tx) => recordCrossing(tx, cost));
    if (cost.by && recorded !== 'outdated' && !recorded.repeated) announce(db, cost.companyId);
    return recorded;
  } catch (error) {
    const taken = db.tx === null && uniqueViolation(error) !== null;
    const event = taken ? await findByKey(db, cost) : null;
    if (event) return { event, repeated: true };
    throw error;
  }
}
