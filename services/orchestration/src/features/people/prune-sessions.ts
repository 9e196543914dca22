import type { Context } from '../../context';

const PRUNE = `
  WITH gone AS (
    DELETE FROM session WHERE hash = ANY (ARRAY(
      SELECT hash FROM session WHERE expires_at <= now() LIMIT $1::int FOR UPDATE SKIP LOCKED))
    RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** Forgets sessions that are over; nobody is admitted by them, whether they are there or not. */
export async function pruneSessions(context: Pick<Context, 'db'>, batch: number): Promise<number> {
  const [row] = await context.db.rows<{ count: number }>('prune-sessions', PRUNE, [batch]);
  return row?.count ?? 0;
}
