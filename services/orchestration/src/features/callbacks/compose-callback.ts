import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import type { CallbackView, HandleType } from '@switchyard/types';
import { lastChunkSql } from '../../lists/last-line';

const MAX_RESULT = 10_000;
const MAX_SUMMARY = 200;

export async function composeCallback(
  db: Database,
  deliveryId: string,
  publicUrl: string,
): Promise<string | null> {
  const [ended] = await ask(db, readEnded, { deliveryId });
  return ended ? JSON.stringify(presentCallback(ended, publicUrl)) : null;
}

function presentCallback(ended: RowOf<typeof readEnded>, publicUrl: string): CallbackView {
  const type = ended.handleType as HandleType;
  const output = ended.tail ? Buffer.from(ended.tail).toString('utf8').trim() : '';
  const result = (ended.comment ?? output).slice(0, MAX_RESULT) || null;
  const documents = (ended.documents ?? []) as { key: string; title: string | null }[];
  return {
    type: `${type}.ended`,
    timestamp: ended.endedAt,
    handle: { type, id: ended.handleId },
    status: ended.status,
    summary: (firstLine(result) ?? ended.reason)?.slice(0, MAX_SUMMARY) ?? null,
    result,
    cost: {
      cents: ended.costCents,
      inputTokens: ended.inputTokens,
      outputTokens: ended.outputTokens,
    },
    documents: documents.map(({ key, title }) => ({
      ...{ key, title },
      link: `${publicUrl}/api/issues/${ended.issueId}/documents/${encodeURIComponent(key)}`,
    })),
    link: linkOf(ended, `${publicUrl}/${ended.prefix}`),
  };
}

function linkOf({ runId, identifier }: RowOf<typeof readEnded>, company: string): string {
  if (runId !== null) return `${company}/runs/${runId}`;
  return identifier === null ? `${company}/routines` : `${company}/issues/${identifier}`;
}

const firstLine = (text: string | null) => text?.trim().split('\n', 1)[0] ?? null;

const readEnded = statement('read-ended-handle', {
  takes: { deliveryId: 'uuid' },
  gives: {
    handleType: 'text',
    handleId: 'uuid',
    endedAt: 'time',
    status: 'text',
    reason: 'text?',
    prefix: 'text',
    issueId: 'uuid?',
    identifier: 'text?',
    runId: 'uuid?',
    comment: 'text?',
    tail: 'bytes?',
    documents: 'json?',
    costCents: 'bigint',
    inputTokens: 'bigint',
    outputTokens: 'bigint',
  },
  sql: ({ deliveryId }) => `
    SELECT coalesce(d.handle_type, '') AS "handleType", coalesce(d.handle_id, d.id) AS "handleId",
      coalesce(d.ended_at, d.created_at) AS "endedAt", coalesce(d.ended_status, '') AS status, coalesce(r.error, rr.failure_reason) AS reason, c.issue_prefix AS prefix,
      i.id AS "issueId", i.identifier, r.id AS "runId",
      (SELECT said.body FROM issue_comment said
        WHERE said.issue_id = i.id AND said.author_agent_id IS NOT NULL
          AND (r.id IS NULL OR said.created_by_run_id = r.id)
        ORDER BY said.created_at DESC, said.id DESC LIMIT 1) AS comment,
      (SELECT output.tail FROM (${lastChunkSql('r.id')}) output) AS tail,
      (SELECT json_agg(json_build_object('key', doc.key, 'title', latest.title) ORDER BY doc.key)
        FROM issue_document doc JOIN document_revision latest ON latest.id = doc.latest_revision_id
        WHERE doc.issue_id = i.id AND (r.id IS NULL OR latest.created_by_run_id = r.id)) AS documents,
      coalesce(r.cost_cents, spent.cost_cents, 0)::bigint AS "costCents",
      coalesce(r.input_tokens, spent.input_tokens, 0)::bigint AS "inputTokens",
      coalesce(r.output_tokens, spent.output_tokens, 0)::bigint AS "outputTokens"
    FROM delivery d JOIN company c ON c.id = d.company_id
      LEFT JOIN heartbeat_run r ON r.id = d.run_id
      LEFT JOIN routine_run rr ON rr.id = d.routine_run_id
      LEFT JOIN issue i ON i.id = coalesce(d.issue_id, rr.linked_issue_id, r.issue_id)
      LEFT JOIN LATERAL (
        SELECT sum(cost_cents) AS cost_cents, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens
        FROM cost_event WHERE r.id IS NULL AND company_id = d.company_id AND issue_id = i.id
      ) spent ON true
    WHERE d.id = ${deliveryId} AND d.handle_type IS NOT NULL`,
});
