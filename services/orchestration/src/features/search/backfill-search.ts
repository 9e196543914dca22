import { ask, statement } from '@switchyard/db';
import { SEARCH_TYPES, type SearchType } from '@switchyard/types';
import { inTransaction, systemCall, type Tx } from '../../call';
import type { Context } from '../../context';
import { BATCH_BYTES, insertEntries, selectSource } from './entry-source';

/** Rows of one transaction, as far as their texts fit: short enough that nobody waits for it. */
const BATCH = 500;
/** Transactions of one sweep, so that the others have their turn. */
const BATCHES = 20;

/** SQL: whether a type of search entries is not complete. */
export const hasSearchBackfillSql = 'EXISTS (SELECT FROM search_backfill)';

/**
 * Enters what was written before there were entries. An entry that is there is left as it is: it is newer. Any number of
 * workers may do it at once: each takes a type that no other has.
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
  const { isLast = true, lastId = null } = entered ?? {};
  if (isLast || lastId === null) await ask(tx, closeType, { kind });
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

const ENTER = Object.fromEntries(
  SEARCH_TYPES.map((type) => [type, enterStatement(type)]),
) as Record<SearchType, ReturnType<typeof enterStatement>>;

function enterStatement(type: SearchType) {
  return statement(`enter-search-${type}s`, {
    takes: { afterId: 'uuid', batch: 'int' },
    gives: { isLast: 'bool', lastId: 'uuid?' },
    sql: (p) => `
      WITH sized AS MATERIALIZED (
        SELECT *, coalesce(sum(octet_length(body)) OVER (
          ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
        FROM (${selectSource(type, `WHERE o.id > ${p.afterId} ORDER BY o.id LIMIT ${p.batch}`)}) found
      ), source AS MATERIALIZED (
        SELECT * FROM sized WHERE bytes_before < ${BATCH_BYTES}
      ), entered AS (${insertEntries('source', 'DO NOTHING')})
      SELECT count(*) < ${p.batch} AND count(*) = (SELECT count(*) FROM source) AS "isLast",
        (SELECT id FROM source ORDER BY id DESC LIMIT 1) AS "lastId" FROM sized`,
  });
}
