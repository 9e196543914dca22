import type { Context } from '../../context';

/** Of the companies one after the other, because each has its own index by time. */
const PRUNE = `
  WITH gone AS (
    DELETE FROM activity WHERE id = ANY (ARRAY(
      SELECT old.id FROM company CROSS JOIN LATERAL (
        SELECT id FROM activity
        WHERE company_id = company.id AND created_at < now() - make_interval(days => $1::int)
        ORDER BY created_at, id LIMIT $2::int FOR UPDATE SKIP LOCKED
      ) old LIMIT $2::int)) RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** Forgets what happened more than `days` ago, the oldest of a company first, which `resumePosition` relies on. */
export async function pruneActivity(
  context: Pick<Context, 'db'>,
  days: number,
  batch: number,
): Promise<number> {
  const [row] = await context.db.rows<{ count: number }>('prune-activity', PRUNE, [days, batch]);
  return row?.count ?? 0;
}
