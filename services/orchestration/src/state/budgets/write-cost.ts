import {
  announce,
  ask,
  type Database,
  type FromColumns,
  newId,
  type RowOf,
  select,
  statement,
} from '@switchyard/db';
import type { CostEventView, CostSource } from '@switchyard/types';
import { type Actor, actorColumns } from '../../access/actor';
import { ACTIVITY, insertActivity } from '../activity';
import { THIS_MONTH } from './month';

export interface Cost {
  companyId: string;
  agentId: string;
  runId: string | null;
  /** The claim that reports it; an outdated one writes nothing. */
  epoch: number | null;
  issueId: string | null;
  projectId: string | null;
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** Null when the price is unknown. */
  costCents: number | null;
  /** Who counted it. What an agent reports counts up to its budget. */
  source: CostSource;
  /** Reported beyond what may count; in no sum of spend. */
  disputedCents: number;
  occurredAt: string | null;
  /** `contentHash` tells a repetition of the key from another use of it. */
  idempotency: { key: string; contentHash: string } | null;
  /** Who is named in the activity; null for what an adapter reports. */
  by: { actor: Actor; runId: string | null } | null;
}

export type CostRow = RowOf<typeof findCostByKey>;

/** The one statement that records spend; null when it wrote nothing. `isBounded` once the bound of the agent's budget was applied. */
export async function writeCost(
  db: Database,
  cost: Cost,
  isBounded = cost.source !== 'agent',
): Promise<CostRow | null> {
  const { idempotency, by, costCents, ...fields } = cost;
  const { actorType, actorId } = by ? actorColumns(by.actor) : { actorType: null, actorId: null };
  const [row] = await ask(db, recordCost, {
    ...fields,
    id: newId(),
    isBounded,
    costCents: costCents ?? 0,
    unpriced: costCents === null,
    idempotencyKey: idempotency?.key ?? null,
    contentHash: idempotency?.contentHash ?? null,
    activityId: newId(),
    actorType,
    actorId,
    actingRunId: by?.runId ?? null,
  });
  if (row) announce(db, cost.companyId);
  return row ?? null;
}

export async function findByKey(
  db: Database,
  { companyId, idempotency }: Cost,
): Promise<CostRow | null> {
  if (!idempotency) return null;
  const [row] = await ask(db, findCostByKey, { companyId, idempotencyKey: idempotency.key });
  return row ?? null;
}

/** What is shown of a cost event. */
export const COST_EVENT = {
  id: 'uuid',
  companyId: 'uuid',
  agentId: 'uuid',
  issueId: 'uuid?',
  projectId: 'uuid?',
  goalId: 'uuid?',
  runId: 'uuid?',
  provider: 'text',
  model: 'text',
  inputTokens: 'bigint',
  outputTokens: 'bigint',
  costCents: 'bigint',
  unpriced: 'bool',
  source: 'text',
  disputedCents: 'bigint',
  occurredAt: 'time',
  createdAt: 'time',
} as const;

/** A row that was read, as it is shown. */
export const presentCost = (row: FromColumns<typeof COST_EVENT>): CostEventView => ({
  ...row,
  source: row.source as CostSource,
});

const STORED_EVENT = { ...COST_EVENT, contentHash: 'text?' } as const;

/** Rounded by PostgreSQL, the last half millisecond of a month would be an event of the next month. */
const NOW = `date_trunc('milliseconds', now())`;

/**
 * Event, counter of the agent's month, totals of the run and the record of the activity are one statement, so the spend is
 * always the sum of its events. It writes nothing when the month has not begun, when the spend would reach what has to be
 * looked at, when an agent that has spent its budget reports more, or when the run is not the agent's or, with an epoch, the claim is outdated. The row of the month decides,
 * not the statement's snapshot, so no two events can cross a threshold unseen together. The run is locked before the
 * month.
 */
const recordCost = statement('record-cost', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    runId: 'uuid?',
    epoch: 'int?',
    issueId: 'uuid?',
    projectId: 'uuid?',
    provider: 'text',
    model: 'text',
    inputTokens: 'bigint',
    outputTokens: 'bigint',
    costCents: 'bigint',
    unpriced: 'bool',
    source: 'text',
    disputedCents: 'bigint',
    isBounded: 'bool',
    occurredAt: 'time?',
    idempotencyKey: 'text?',
    contentHash: 'text?',
    ...ACTIVITY,
    actorType: 'text?',
  },
  gives: STORED_EVENT,
  sql: (p) => `
    WITH run AS (
      SELECT id, issue_id FROM heartbeat_run
      WHERE id = ${p.runId} AND company_id = ${p.companyId} AND agent_id = ${p.agentId}
        AND (${p.epoch} IS NULL OR (epoch = ${p.epoch} AND status = 'running'))
      FOR NO KEY UPDATE
    ), month AS (
      UPDATE agent_month SET cost_cents = cost_cents + ${p.costCents},
        input_tokens = input_tokens + ${p.inputTokens},
        output_tokens = output_tokens + ${p.outputTokens},
        unpriced_events = unpriced_events + ${p.unpriced}::int
      WHERE agent_id = ${p.agentId} AND company_id = ${p.companyId} AND month = ${THIS_MONTH}
        AND cost_cents + ${p.costCents} < watch_at_cents
        AND (${p.isBounded} OR hard_stopped_at IS NULL)
        AND (${p.runId} IS NULL OR EXISTS (SELECT 1 FROM run))
      RETURNING 1
    ), counted AS (
      UPDATE heartbeat_run SET cost_cents = cost_cents + ${p.costCents},
        input_tokens = input_tokens + ${p.inputTokens},
        output_tokens = output_tokens + ${p.outputTokens},
        unpriced_events = unpriced_events + ${p.unpriced}::int
      WHERE id = (SELECT id FROM run) AND EXISTS (SELECT 1 FROM month)
    ), event AS (
      INSERT INTO cost_event (id, company_id, agent_id, run_id, issue_id, project_id, goal_id,
        provider, model, input_tokens, output_tokens, cost_cents, unpriced, source, disputed_cents, occurred_at,
        created_at, idempotency_key, content_hash)
      SELECT ${p.id}, ${p.companyId}, ${p.agentId}, ${p.runId}, named.issue_id,
        coalesce(${p.projectId}, i.project_id), i.goal_id, ${p.provider}, ${p.model},
        ${p.inputTokens}, ${p.outputTokens}, ${p.costCents}, ${p.unpriced},
        ${p.source}, ${p.disputedCents}, coalesce(${p.occurredAt}, ${NOW}), ${NOW}, ${p.idempotencyKey}, ${p.contentHash}
      FROM month
      CROSS JOIN (SELECT coalesce(${p.issueId}, (SELECT issue_id FROM run)) AS issue_id) named
      LEFT JOIN issue i ON i.id = named.issue_id AND i.company_id = ${p.companyId}
      RETURNING *
    ), recorded AS (
      ${insertActivity(p, {
        action: 'cost_event.recorded',
        from: `event WHERE ${p.actorType} IS NOT NULL`,
        companyId: 'company_id',
        entityId: 'id',
        details: `jsonb_build_object('agentId', agent_id, 'costCents', cost_cents)`,
      })}
    )
    SELECT ${select(STORED_EVENT, 'event')} FROM event`,
});

const findCostByKey = statement('find-cost-by-key', {
  takes: { companyId: 'uuid', idempotencyKey: 'text' },
  gives: STORED_EVENT,
  sql: (p) => `
    SELECT ${select(STORED_EVENT, 'c')} FROM cost_event c
    WHERE company_id = ${p.companyId} AND idempotency_key = ${p.idempotencyKey}`,
});
