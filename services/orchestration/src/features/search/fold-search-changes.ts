import { ask, bind, type Database, statement, trip } from '@switchyard/db';
import { SEARCH_TYPES } from '@switchyard/types';
import type { Call } from '../../call';
import type { Context } from '../../context';
import { insertEntries, selectSource } from './entry-source';

/** Changes of one transaction: short enough that a search can wait for it. */
const BATCH = 500;

/** What one search brings up to date at most; beyond it, after a large import, workers do. */
const MOST_OF_A_SEARCH = 2_000;

/**
 * Brings the entries of all companies up to date. Any number of workers may do it at once, beside searches that do it for
 * their own company.
 */
export async function foldSearchChanges(
  { db }: Pick<Context, 'db'>,
  closing?: AbortSignal,
): Promise<void> {
  while (!closing?.aborted) {
    const waiting = await ask(db, findCompanies, {});
    if (waiting.length === 0) return;
    for (const { companyId } of waiting) await foldBatch(db, companyId);
  }
}

/** Brings the entries of one company up to date, so that a search finds what was committed before it. */
export async function foldOwnSearchChanges({ db, companyId }: Call): Promise<void> {
  for (let seen = 0; seen < MOST_OF_A_SEARCH; seen += BATCH) {
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

/**
 * One after the other in each company: of two that read a row at different times, the one that read it first could be the
 * last to write.
 */
async function foldBatch(db: Database, companyId: string): Promise<void> {
  await trip(db, [bind(lockEntries, { companyId })], foldChanges, { companyId, batch: BATCH });
}

const lockEntries = statement('lock-search-entries', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `
    SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('search of ' || ${companyId}::text, 0))) held`,
});

/** Each row is looked up by its id, however many the planner expects. */
const SOURCE = SEARCH_TYPES.map(
  (type) => `SELECT found.* FROM changed CROSS JOIN LATERAL (
    ${selectSource(type, 'WHERE o.id = changed.entity_id')} LIMIT 1
  ) found WHERE changed.kind = '${type}'`,
).join(' UNION ALL ');

const foldChanges = statement('fold-search-changes', {
  takes: { companyId: 'uuid', batch: 'int' },
  gives: { taken: 'int' },
  sql: (p) => `
    WITH taken AS (
      DELETE FROM search_change WHERE company_id = ${p.companyId} AND id = ANY (ARRAY(
        SELECT id FROM search_change WHERE company_id = ${p.companyId} ORDER BY id LIMIT ${p.batch}))
      RETURNING kind, entity_id
    ), changed AS MATERIALIZED (
      SELECT DISTINCT kind, entity_id FROM taken
    ), source AS MATERIALIZED (${SOURCE}), gone AS (
      DELETE FROM search_entry e USING changed c
      WHERE e.entity_id = c.entity_id AND e.kind = c.kind
        AND NOT EXISTS (SELECT FROM source s WHERE s.id = c.entity_id AND s.kind = c.kind)
    ), entered AS (${insertEntries(
      'source',
      'DO UPDATE SET at = excluded.at, title_words = excluded.title_words, words = excluded.words',
    )})
    SELECT count(*)::int AS taken FROM taken`,
});
