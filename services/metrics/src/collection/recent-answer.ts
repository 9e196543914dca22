import type { Context } from '../context';

/** A collection whose markets were left out is an analysis of the regime and no snapshot. */
const RECENT = `
  SELECT answer FROM collection
  WHERE status = 'success' AND started_at > $1 AND components->'market_data'->>'status' <> 'skipped'
  ORDER BY started_at DESC, id DESC LIMIT 1`;

/** The answer of a collection that began less than the minimum interval ago, of whatever process; else null. */
export async function findRecentAnswer({ clock, config, db }: Context): Promise<string | null> {
  if (config.minIntervalMs === 0) return null;
  const since = new Date(clock.now().getTime() - config.minIntervalMs);
  const { rows } = await db.pool.query<{ answer: string }>({
    name: 'recent-answer',
    text: RECENT,
    values: [since],
  });
  return rows[0]?.answer ?? null;
}
