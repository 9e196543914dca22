import { ask, bind, type Database, statement, trip } from '@switchyard/db';
import { SEARCH_TYPES } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { BATCH_BYTES, insertEntries, selectSource } from './entry-source';

const BATCH = 500;

/** Time limit in ms for folding within a search; workers fold the rest of a large import. */
const LONGEST_OF_A_SEARCH_MS = 2_000;

/**
 * Safe with any number of workers and concurrent searches.
 * @throws the first failure, after it has processed the other companies
 */
export async function foldSearchChanges(
  { db }: Pick<Context, 'db'>,
  closing?: AbortSignal,
): Promise<void> {
  while (!closing?.aborted) {
    const waiting = await ask(db, findCompanies, {});
    if (waiting.length === 0) return;
    const failures: unknown[] = [];
    for (const { companyId } of waiting) {
      await foldBatch(db, companyId).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

export async function foldOwnSearchChanges({ db, companyId }: Call): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < LONGEST_OF_A_SEARCH_MS) {
    const [waiting] = await ask(db, findChange, { companyId });
    if (!waiting) return;
    await foldBatch(db, companyId);
  }
}

const findCompanies = statement('find-search-changes', {
  takes: {},
  gives: { companyId: 'uuid' },
  sql: () => `SELECT DISTINCT company_id AS "companyId" FROM search_change LIMIT 100`,
});

const findChange = statement('find-search-change', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `SELECT FROM search_change WHERE company_id = ${companyId} LIMIT 1`,
});

async function foldBatch(db: Database, companyId: string): Promise<void> {
  await trip(db, [bind(lockEntries, { companyId })], foldChanges, { companyId, batch: BATCH });
}

const lockEntries = statement('lock-search-entries', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `
    SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('search of ' || ${companyId}::text, 0))) held`,
});

const SOURCE = SEARCH_TYPES.map(
  (type) => `SELECT found.* FROM changed CROSS JOIN LATERAL (
    ${selectSource(type, 'WHERE o.id = changed.entity_id')} LIMIT 1
  ) found WHERE changed.kind = '${type}'`,
).join(' UNION ALL ');

const BYTES = `CASE kind ${SEARCH_TYPES.map(
  (type) => `WHEN '${type}' THEN (
    SELECT octet_length(body) FROM (${selectSource(type, 'WHERE o.id = waiting.entity_id')}) found)`,
).join(' ')} END`;

const foldChanges = statement('fold-search-changes', {
  takes: { companyId: 'uuid', batch: 'int' },
  gives: { taken: 'int' },
  sql: (p) => `
    WITH waiting AS MATERIALIZED (
      SELECT id, kind, entity_id, row_number() OVER (PARTITION BY kind, entity_id ORDER BY id) = 1 AS is_first
      FROM (SELECT * FROM search_change WHERE company_id = ${p.companyId} ORDER BY id LIMIT ${p.batch}) oldest
    ), sized AS (
      SELECT id, coalesce(sum(CASE WHEN is_first THEN ${BYTES} END) OVER (
        ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before FROM waiting
    ), taken AS (
      DELETE FROM search_change WHERE company_id = ${p.companyId} AND id = ANY (ARRAY(
        SELECT id FROM sized WHERE bytes_before < ${BATCH_BYTES}))
      RETURNING kind, entity_id
    ), changed AS MATERIALIZED (
      SELECT DISTINCT kind, entity_id FROM taken
    ), source AS MATERIALIZED (${SOURCE}), gone AS (
      DELETE FROM search_entry e USING changed c
      WHERE e.entity_id = c.entity_id AND e.kind = c.kind
        AND NOT EXISTS (SELECT FROM source s WHERE s.id = c.entity_id AND s.kind = c.kind)
    ), entered AS (${insertEntries('source')})
    SELECT count(*)::int AS taken FROM taken`,
});
