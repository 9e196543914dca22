import { createHash } from 'node:crypto';
import { conflict, Reply } from '@switchyard/server';
import type { CostEventView, CreateCostEventBody } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { Call } from '../../call';
import { recordCost } from '../../state/budgets/record-cost';

/**
 * Records spend that is reported. An `idempotencyKey` belongs to the company for good: what was sent under it before is
 * replied to with its event and 200.
 * @throws ApiError 403 `not_own` for another agent, 409 `idempotency_conflict`, 422 and 403 for ids that cannot be named
 */
export async function createCostEvent(
  call: Call,
  body: CreateCostEventBody,
): Promise<CostEventView | Reply<CostEventView>> {
  assertSelfOrBoard(call, body.agentId);
  const { companyId, actor } = call;
  const { agentId, idempotencyKey, provider, model, inputTokens, outputTokens, costCents } = body;
  const hash = contentHash(body);
  const recorded = await recordCost(call, {
    companyId,
    agentId,
    provider,
    model,
    inputTokens,
    outputTokens,
    costCents,
    runId: body.runId ?? call.runId,
    epoch: null,
    issueId: body.issueId ?? null,
    projectId: body.projectId ?? null,
    occurredAt: inUtc(body.occurredAt),
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, contentHash: hash },
    by: { actor, runId: call.runId },
  });
  if (recorded === 'outdated') throw new Error('a cost event without a claim cannot be outdated');
  const { contentHash: stored, ...event } = recorded.event;
  if (!recorded.repeated) return event;
  if (stored !== hash) {
    throw conflict('idempotency_conflict', 'idempotencyKey was used before for another event', {
      retry: false,
    });
  }
  return new Reply(event, { status: 200, headers: { 'Idempotency-Replayed': 'true' } });
}

/** Digest of what was sent, the same however its fields were ordered and its time was written. */
function contentHash(body: CreateCostEventBody): string {
  const { idempotencyKey: _, occurredAt, ...fields } = body;
  const sent = { ...fields, ...(occurredAt && { occurredAt: inUtc(occurredAt) }) };
  const entries = Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}

/** ISO 8601 has zones further from UTC than PostgreSQL reads. */
const inUtc = (time: string | undefined) => (time ? new Date(time).toISOString() : null);
