import { type Database, newId } from '@switchyard/db';
import { type Actor, actorColumns } from '../../access/actor';
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
