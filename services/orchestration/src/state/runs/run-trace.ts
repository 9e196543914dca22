import { createHash } from 'node:crypto';
import { ask, statement } from '@switchyard/db';
import { errorFields, tracing } from '@switchyard/server';
import type { ReportUsageBody } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import { isFailure } from '../statuses/run-status';

interface TracedRun {
  id: string;
  epoch: number;
  traceContext: string | null;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;

/**
 * Returns the `traceparent` of an attempt's span, which is the parent of the agent's spans. The ids
 * are derived, because the span is sent at the end of the run, perhaps by another process.
 */
export function runTraceparent({ id, epoch, traceContext }: TracedRun): string {
  const [, traceId = digest(id).slice(0, 32), flags = '01'] =
    TRACEPARENT.exec(traceContext ?? '') ?? [];
  return `00-${traceId}-${digest(`${id} ${epoch}`).slice(0, 16)}-${flags}`;
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

export function traceVariables(
  run: TracedRun & { companyId: string; agentId: string; issueId: string | null },
): Record<string, string> {
  if (!tracing().describesAgents) return {};
  const attributes = Object.entries(namesOf(run)).map(([name, value]) => `${name}=${value}`);
  return {
    TRACEPARENT: runTraceparent(run),
    OTEL_RESOURCE_ATTRIBUTES: attributes.join(','),
  };
}

const namesOf = (run: {
  id: string;
  companyId: string;
  agentId: string;
  issueId: string | null;
}): Record<string, string> => ({
  'switchyard.company_id': run.companyId,
  'switchyard.agent_id': run.agentId,
  'switchyard.run_id': run.id,
  ...(run.issueId !== null && { 'switchyard.issue_id': run.issueId }),
});

export function recordCallSpan(
  run: TracedRun,
  { usage, call }: { usage: ReportUsageBody['usage'] | null; call?: ReportUsageBody['call'] },
  endedAt: Date,
): void {
  const { provider, model } = usage ?? call?.failure ?? {};
  if (!call || !provider || !tracing().describesAgents) return;
  const { failure } = call;
  tracing().record({
    name: model ? `chat ${model}` : 'chat',
    kind: 'client',
    parent: runTraceparent(run),
    startedAt: new Date(endedAt.getTime() - call.durationMs),
    endedAt,
    hasFailed: failure !== undefined,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      ...(failure && { 'error.type': failure.type }),
      ...(failure?.model && { 'gen_ai.request.model': failure.model }),
      ...(usage && {
        'gen_ai.response.model': usage.model,
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
      }),
      'server.address': call.server,
      'switchyard.run_id': run.id,
    },
  });
}

/**
 * Sends the span of an ended run, or of an attempt that another process has taken over. The texts
 * of the span are names only: no prompt, output or error message.
 */
export async function recordRunSpan(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  runId: string,
  interrupted?: { epoch: number; attempt: number },
): Promise<void> {
  if (!tracing().describesAgents) return;
  const [found] = await ask(db, readTraced, { runId }).catch((error: unknown) => {
    logger.warn('the span of a run could not be read', errorFields(error));
    return [];
  });
  if (!found) return;
  const run = { ...found, ...(interrupted && { ...interrupted, errorCode: 'interrupted' }) };
  const { agentId, agentName, provider, model, errorCode, revision, sessionId } = run;
  tracing().record({
    name: `invoke_agent ${agentName}`,
    kind: 'part',
    traceparent: runTraceparent(run),
    parent: run.traceContext,
    startedAt: new Date(run.startedAt),
    endedAt: new Date(run.finishedAt),
    hasFailed: interrupted !== undefined || isFailure(run),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agentId,
      'gen_ai.agent.name': agentName,
      ...(revision !== null && { 'gen_ai.agent.version': String(revision) }),
      ...(provider !== null && { 'gen_ai.provider.name': provider }),
      ...(model !== null && { 'gen_ai.request.model': model }),
      ...(sessionId !== null && { 'gen_ai.conversation.id': sessionId }),
      'gen_ai.usage.input_tokens': run.inputTokens,
      'gen_ai.usage.output_tokens': run.outputTokens,
      ...(errorCode !== null && { 'error.type': errorCode }),
      ...namesOf(run),
      'switchyard.attempt': run.attempt,
      'switchyard.cost_cents': run.costCents,
    },
  });
}

const readTraced = statement('read-run-for-span', {
  takes: { runId: 'uuid' },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    issueId: 'uuid?',
    epoch: 'int',
    attempt: 'int',
    status: 'text',
    errorCode: 'text?',
    traceContext: 'text?',
    startedAt: 'time',
    finishedAt: 'time',
    inputTokens: 'bigint',
    outputTokens: 'bigint',
    costCents: 'bigint',
    agentName: 'text',
    revision: 'int?',
    provider: 'text?',
    model: 'text?',
    sessionId: 'text?',
  },
  sql: ({ runId }) => `
    SELECT r.id, r.company_id AS "companyId", r.agent_id AS "agentId", r.issue_id AS "issueId",
      r.epoch, r.attempt, r.status, r.error_code AS "errorCode", r.trace_context AS "traceContext",
      coalesce(r.started_at, now()) AS "startedAt", coalesce(r.finished_at, now()) AS "finishedAt",
      r.input_tokens AS "inputTokens", r.output_tokens AS "outputTokens", r.cost_cents AS "costCents",
      a.name AS "agentName",
      (SELECT max(v.revision_number) FROM agent_config_revision v WHERE v.agent_id = a.id) AS revision,
      used.provider, used.model, s.session_id AS "sessionId"
    FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
    LEFT JOIN LATERAL (SELECT e.provider, e.model FROM cost_event e
      WHERE e.company_id = r.company_id AND e.run_id = r.id ORDER BY e.id DESC LIMIT 1) used ON true
    LEFT JOIN agent_session s ON s.agent_id = r.agent_id AND s.issue_id = r.issue_id
      AND s.adapter_type = coalesce(r.adapter_type, a.adapter_type)
    WHERE r.id = ${runId}`,
});
