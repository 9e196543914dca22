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
import { ACTIVITY, insertActivity } from '../../kernel/activity';
import { type Actor, actorColumns } from '../../kernel/actor';
import { THIS_MONTH } from '../budgets/month';
import { bookedSql, isOpenSql, SETTLED_SQL } from './reserve-spend';

export interface Cost {
  companyId: string;
  agentId: string;
  runId: string | null;
  epoch: number | null;
  issueId: string | null;
  projectId: string | null;
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  costCents: number | null;
  source: CostSource;
  /**
   * Reported cents that do not count, because they exceed the agent's budget or the gateway has
   * already counted them; excluded from all sums.
   */
  disputedCents: number;
  reservationId?: string;
  occurredAt: string | null;
  idempotency: { key: string; contentHash: string } | null;
  by: { actor: Actor; runId: string | null } | null;
}

export type CostRow = RowOf<typeof findCostByKey>;

/**
 * Records spend; returns null if it wrote nothing. `isBounded` means that the cost already fits
 * into the agent's budget.
 */
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
    reservationId: cost.reservationId ?? null,
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

export const presentCost = (row: FromColumns<typeof COST_EVENT>): CostEventView => ({
  ...row,
  source: row.source as CostSource,
});

const STORED_EVENT = { ...COST_EVENT, contentHash: 'text?' } as const;

/**
 * Truncates to ms, because PostgreSQL rounds and would move the last half millisecond of a month
 * into the next month.
 */
const NOW = `date_trunc('milliseconds', now())`;

/**
 * Writes event, month counter, run totals and activity in one statement, so that the spend always
 * equals the sum of its events. Writes nothing if the month has no row, the spend would reach the
 * next threshold, or the budget, the run or the reservation does not allow the event. Decides by
 * the month's locked row, not by the snapshot, so that concurrent events cannot miss a threshold.
 * Locks the run, then the reservation, then the month.
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
    reservationId: 'uuid?',
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
    ), reserved AS (
      SELECT id FROM reservation v
      WHERE id = ${p.reservationId} AND run_id = (SELECT id FROM run) AND ${isOpenSql('v')}
      FOR UPDATE
    ), month AS (
      UPDATE agent_month SET cost_cents = cost_cents + ${p.costCents},
        input_tokens = input_tokens + ${p.inputTokens},
        output_tokens = output_tokens + ${p.outputTokens},
        unpriced_events = unpriced_events + ${p.unpriced}::int
      WHERE agent_id = ${p.agentId} AND company_id = ${p.companyId} AND month = ${THIS_MONTH}
        AND cost_cents + ${p.costCents} < watch_at_cents
        AND (${p.isBounded} OR hard_stopped_at IS NULL)
        AND (${p.runId} IS NULL OR EXISTS (SELECT 1 FROM run))
        AND (${p.reservationId} IS NULL OR EXISTS (SELECT 1 FROM reserved))
      RETURNING 1
    ), settled AS (
      UPDATE reservation SET ${SETTLED_SQL}
      WHERE id = (SELECT id FROM reserved) AND ${p.source} <> 'reservation' AND EXISTS (SELECT 1 FROM month)
    ), booked AS (
      UPDATE reservation SET ${bookedSql(p.id)}
      WHERE id = (SELECT id FROM reserved) AND ${p.source} = 'reservation' AND EXISTS (SELECT 1 FROM month)
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
