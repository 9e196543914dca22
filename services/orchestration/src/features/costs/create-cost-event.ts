import { createHash } from 'node:crypto';
import { ask, statement } from '@switchyard/db';
import { conflict, forbidden, Reply, unprocessable } from '@switchyard/server';
import type { CostEventView, CreateCostEventBody } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { Call } from '../../kernel/call';
import { recordCost } from '../../state/costs/record-cost';
import { type Cost, findByKey, presentCost } from '../../state/costs/write-cost';

/**
 * Records reported spend. A repeated `idempotencyKey` returns the first event with 200. An agent's
 * reports count up to its budget, but not for a provider that the gateway counted in the same run.
 * The rest is stored as disputed.
 * @throws ApiError 403 `not_own` for another agent or its work, 409 `idempotency_conflict`, 422 and
 * 403 for invalid references, 422 for an agent's `occurredAt` outside its run
 */
export async function createCostEvent(
  call: Call,
  body: CreateCostEventBody,
): Promise<CostEventView | Reply<CostEventView>> {
  assertSelfOrBoard(call, body.agentId);
  const { companyId, actor } = call;
  const isBoards = actor.type === 'board';
  const { agentId, idempotencyKey, provider, model, inputTokens, outputTokens, costCents } = body;
  const hash = contentHash(body);
  const cost: Cost = {
    companyId,
    agentId,
    provider,
    model,
    inputTokens,
    outputTokens,
    costCents,
    source: isBoards ? 'board' : 'agent',
    disputedCents: 0,
    runId: body.runId ?? call.runId,
    epoch: null,
    issueId: body.issueId ?? null,
    projectId: body.projectId ?? null,
    occurredAt: inUtc(body.occurredAt),
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, contentHash: hash },
    by: { actor, runId: call.runId },
  };
  const recorded = await recordCost(call, isBoards ? cost : await ownReport(call, cost));
  if (recorded === 'outdated')
    throw new Error('recordCost returned "outdated" for a cost event without a claim');
  const { contentHash: stored, ...row } = recorded.event;
  const event = presentCost(row);
  if (!recorded.repeated) return event;
  if (stored !== hash) {
    throw conflict(
      'idempotency_conflict',
      'idempotencyKey was already used for another event: send a new key',
      {
        retry: false,
      },
    );
  }
  return new Reply(event, { status: 200, headers: { 'Idempotency-Replayed': 'true' } });
}

async function ownReport({ db }: Call, cost: Cost): Promise<Cost> {
  const { companyId, agentId, runId, issueId, projectId, provider, costCents } = cost;
  const named = { companyId, agentId, runId, issueId, projectId, provider };
  const [report] = await ask(db, judgeReport, named);
  if (!report || (await findByKey(db, cost))) return cost;
  const { earliest, latest, isCounted, foreign: field } = report;
  if (field) {
    const work = 'to the run, or to an issue that is assigned to the agent';
    throw forbidden('not_own', `${field} must belong ${work}`, { field });
  }
  if (cost.occurredAt && (cost.occurredAt < earliest || cost.occurredAt > latest)) {
    const text = 'occurredAt must be between the start of the run and now';
    throw unprocessable('semantic_error', text, { field: 'occurredAt', earliest, latest });
  }
  return isCounted ? { ...cost, costCents: 0, disputedCents: costCents ?? 0 } : cost;
}

const isOwnSql = (agentId: string) => `(i.assignee_agent_id IS NOT DISTINCT FROM ${agentId}
  OR i.id IS NOT DISTINCT FROM run.issue_id
  OR coalesce(run.wake_reasons, '[]') @> jsonb_build_array(jsonb_build_object('issueId', i.id)))`;

const judgeReport = statement('judge-cost-report', {
  takes: {
    companyId: 'uuid',
    agentId: 'uuid',
    runId: 'uuid?',
    issueId: 'uuid?',
    projectId: 'uuid?',
    provider: 'text',
  },
  gives: { earliest: 'time', latest: 'time', isCounted: 'bool', foreign: 'text?' },
  sql: (p) => `
    SELECT coalesce(run.started_at, now()) - interval '5 minutes' AS earliest,
      now() + interval '5 minutes' AS latest,
      EXISTS (SELECT 1 FROM cost_event WHERE company_id = ${p.companyId} AND run_id = run.id
        AND provider = ${p.provider} AND source IN ('gateway', 'reservation')
        AND (cost_cents, input_tokens, output_tokens) <> (0, 0, 0)) AS "isCounted",
      CASE
        WHEN EXISTS (SELECT FROM issue i WHERE i.id = ${p.issueId} AND i.company_id = ${p.companyId}
          AND NOT ${isOwnSql(p.agentId)}) THEN 'issueId'
        WHEN EXISTS (SELECT FROM project WHERE id = ${p.projectId} AND company_id = ${p.companyId})
          AND NOT EXISTS (SELECT FROM issue WHERE company_id = ${p.companyId} AND project_id = ${p.projectId}
            AND assignee_agent_id = ${p.agentId})
          AND NOT EXISTS (SELECT FROM issue WHERE company_id = ${p.companyId} AND project_id = ${p.projectId}
            AND id IN (SELECT run.issue_id UNION ALL
              SELECT (wake ->> 'issueId')::uuid FROM jsonb_array_elements(run.wake_reasons) wake))
          THEN 'projectId' END AS foreign
    FROM (SELECT) one LEFT JOIN heartbeat_run run
      ON run.id = ${p.runId} AND run.company_id = ${p.companyId} AND run.agent_id = ${p.agentId}`,
});

function contentHash(body: CreateCostEventBody): string {
  const { idempotencyKey: _, occurredAt, ...fields } = body;
  const sent = { ...fields, ...(occurredAt && { occurredAt: inUtc(occurredAt) }) };
  const entries = Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}

/** Converts to UTC, because ISO 8601 allows larger offsets than PostgreSQL. */
const inUtc = (time: string | undefined) => (time ? new Date(time).toISOString() : null);
