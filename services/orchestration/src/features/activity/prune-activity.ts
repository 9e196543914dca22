import { ask, statement } from '@switchyard/db';
import type { Context } from '../../kernel/context';

/**
 * Keeps a company's newest entry: without it, `resumePosition` could not distinguish an idle
 * company from one without events.
 */
export async function pruneActivity(
  context: Pick<Context, 'db'>,
  days: number,
  batch: number,
): Promise<number> {
  const [row] = await ask(context.db, prune, { days, batch });
  return row?.count ?? 0;
}

const prune = statement('prune-activity', {
  takes: { days: 'int', batch: 'int' },
  gives: { count: 'int' },
  sql: ({ days, batch }) => `
    WITH gone AS (
      DELETE FROM activity WHERE id = ANY (ARRAY(
        SELECT old.id FROM company CROSS JOIN LATERAL (
          SELECT id FROM activity WHERE company_id = company.id
          ORDER BY transaction_id DESC, sequence DESC LIMIT 1
        ) newest CROSS JOIN LATERAL (
          SELECT id FROM activity
          WHERE company_id = company.id AND created_at < now() - make_interval(days => ${days})
            AND id <> newest.id
          ORDER BY created_at, id LIMIT ${batch} FOR UPDATE SKIP LOCKED
        ) old LIMIT ${batch})) RETURNING 1)
    SELECT count(*)::int AS count FROM gone`,
});
