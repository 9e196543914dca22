import { ask, statement } from '@switchyard/db';
import { SEARCH_TYPES, type SearchType } from '@switchyard/types';
import { inTransaction, systemCall, type Tx } from '../../call';
import type { Context } from '../../context';

/** Rows of one transaction: short enough that nobody waits for it. */
const BATCH = 500;
/** Transactions of one sweep, so that the others have their turn. */
const BATCHES = 20;

/**
 * Enters what was written before there were entries. What is written since is entered by triggers, and is left as they
 * wrote it. Any number of workers may do it at once: each takes a type that no other has.
 */
export async function backfillSearch(context: Context): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const entered = await inTransaction(systemCall(context), enterBatch);
    if (!entered) return;
  }
}

/** Whether there may be more. */
async function enterBatch(tx: Tx<null>): Promise<boolean> {
  const [open] = await ask(tx, takeType, {});
  if (!open) return false;
  const { kind, afterId } = open;
  const [entered] = await ask(tx, ENTER[kind as SearchType], { afterId, batch: BATCH });
  const { seen = 0, lastId = null } = entered ?? {};
  if (seen < BATCH || lastId === null) await ask(tx, closeType, { kind });
  else await ask(tx, advanceType, { kind, lastId });
  return true;
}

const takeType = statement('take-search-backfill', {
  takes: {},
  gives: { kind: 'text', afterId: 'uuid' },
  sql: () => `
    SELECT kind, after_id AS "afterId" FROM search_backfill ORDER BY kind LIMIT 1 FOR UPDATE SKIP LOCKED`,
});

const advanceType = statement('advance-search-backfill', {
  takes: { kind: 'text', lastId: 'uuid' },
  gives: {},
  sql: (p) => `UPDATE search_backfill SET after_id = ${p.lastId} WHERE kind = ${p.kind}`,
});

const closeType = statement('close-search-backfill', {
  takes: { kind: 'text' },
  gives: {},
  sql: ({ kind }) => `DELETE FROM search_backfill WHERE kind = ${kind}`,
});

/** What the triggers enter of a row `o`, by its type. */
const SOURCES: Record<SearchType, { from: string; at?: string; title: string; text: string }> = {
  issue: { from: 'issue o', title: "o.identifier || ' ' || o.title", text: 'o.description' },
  comment: { from: 'issue_comment o', title: 'NULL', text: 'o.body' },
  document: {
    from: 'issue_document o JOIN document_revision r ON r.id = o.latest_revision_id',
    at: 'r.created_at',
    title: 'r.title',
    text: 'r.body',
  },
  agent: {
    from: 'agent o',
    title: 'o.name',
    text: "concat_ws(' ', o.role, o.title, o.capabilities)",
  },
  project: { from: 'project o', title: 'o.name', text: 'o.description' },
};

const ENTER = Object.fromEntries(
  SEARCH_TYPES.map((type) => [type, enterStatement(type)]),
) as Record<SearchType, ReturnType<typeof enterStatement>>;

function enterStatement(type: SearchType) {
  const { from, at = 'o.created_at', title, text } = SOURCES[type];
  return statement(`enter-search-${type}s`, {
    takes: { afterId: 'uuid', batch: 'int' },
    gives: { seen: 'int', lastId: 'uuid?' },
    sql: (p) => `
      WITH source AS MATERIALIZED (
        SELECT o.company_id, o.id, ${at} AS at, ${title} AS title, ${text} AS body
        FROM ${from} WHERE o.id > ${p.afterId} ORDER BY o.id LIMIT ${p.batch}
      ), entered AS (
        INSERT INTO search_entry (company_id, kind, entity_id, at, title_words, words)
        SELECT company_id, '${type}', id, at, search_words(title) || scope,
          coalesce(search_words(title), '') || coalesce(search_words(body), '') || scope
        FROM source CROSS JOIN LATERAL array_to_tsvector(ARRAY['${type}/' || company_id]) scope
        ON CONFLICT (entity_id, kind) DO NOTHING
      )
      SELECT count(*)::int AS seen, (SELECT id FROM source ORDER BY id DESC LIMIT 1) AS "lastId" FROM source`,
  });
}
