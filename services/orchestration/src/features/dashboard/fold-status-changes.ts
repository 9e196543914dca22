import { anySql, ask, statement } from '@switchyard/db';
import { DASHBOARD_DAYS } from '@switchyard/types';
import type { Context } from '../../kernel/context';

export const COUNTS_RUNS = "counted IN ('heartbeat_run', 'run_failure')";

const BATCH = 5_000;

const SPARE_DAYS = 2;

export const hasStatusChangesSql = [
  { from: 'status_change', where: 'true', order: 'company_id, id' },
  { from: 'issue_tally_change', where: 'true', order: 'company_id, owner_id, id' },
]
  .map(anySql)
  .join(' OR ');

/**
 * Safe with any number of workers: each folds different changes, and all lock the tallies in the
 * same order.
 */
export async function foldStatusChanges({ db }: Pick<Context, 'db'>): Promise<void> {
  for (const fold of [foldStatuses, foldIssues]) {
    for (let taken = BATCH; taken === BATCH; ) {
      const [folded] = await ask(db, fold, { batch: BATCH });
      taken = folded?.taken ?? 0;
    }
  }
}

const FIRST_DAY = `((now() AT TIME ZONE 'UTC')::date - ${DASHBOARD_DAYS + SPARE_DAYS})`;

const someOf = (table: string, batch: string) =>
  `ctid = ANY (ARRAY(SELECT ctid FROM ${table} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;

const foldStatuses = statement('fold-status-changes', {
  takes: { batch: 'int' },
  gives: { taken: 'int' },
  sql: ({ batch }) => `
    WITH taken AS (
      DELETE FROM status_change WHERE ${someOf('status_change', batch)}
      RETURNING company_id, counted, day, status, n
    ), folded AS (
      INSERT INTO status_tally AS tally (company_id, counted, day, status, n)
      SELECT company_id, counted, day, status, sum(n) FROM taken
      WHERE day = '-infinity' OR day >= ${FIRST_DAY}
      GROUP BY company_id, counted, day, status ORDER BY company_id, counted, day, status
      ON CONFLICT (company_id, counted, day, status) DO UPDATE SET n = tally.n + excluded.n
    ), forgotten AS (
      DELETE FROM status_tally
      WHERE company_id IN (SELECT company_id FROM taken) AND ${COUNTS_RUNS} AND day < ${FIRST_DAY}
    )
    SELECT count(*)::int AS taken FROM taken`,
});

const foldIssues = statement('fold-issue-tally-changes', {
  takes: { batch: 'int' },
  gives: { taken: 'int' },
  sql: ({ batch }) => `
    WITH taken AS (
      DELETE FROM issue_tally_change WHERE ${someOf('issue_tally_change', batch)}
      RETURNING company_id, owner_id, status, n
    ), folded AS (
      INSERT INTO issue_tally AS tally (company_id, owner_id, status, n)
      SELECT company_id, owner_id, status, sum(n) FROM taken
      GROUP BY company_id, owner_id, status ORDER BY company_id, owner_id, status
      ON CONFLICT (company_id, owner_id, status) DO UPDATE SET n = tally.n + excluded.n
    )
    SELECT count(*)::int AS taken FROM taken`,
});
