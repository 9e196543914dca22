import type { Resources } from '../resources';
import { requestHash } from './claim-collection';
import type { CollectRequest } from './collect-contract';

export async function findStored(
  { db, logger }: Resources,
  collectionId: string,
  request: CollectRequest,
): Promise<string | null> {
  const { rows } = await db.pool.query<{ answer: string; request_hash: string }>({
    name: 'stored-answer',
    text: "SELECT answer, request_hash FROM collection WHERE collection_id = $1 AND status = 'success'",
    values: [collectionId],
  });
  const row = rows[0];
  if (!row) return null;
  if (row.request_hash !== requestHash(request)) {
    logger.warn('a collection id was sent again with a different body', { collectionId });
  }
  return row.answer;
}

export async function findRecent({ clock, config, db }: Resources): Promise<string | null> {
  if (config.minIntervalMs === 0) return null;
  const since = new Date(clock.now().getTime() - config.minIntervalMs);
  const { rows } = await db.pool.query<{ answer: string }>({
    name: 'recent-answer',
    text: RECENT,
    values: [since],
  });
  return rows[0]?.answer ?? null;
}

const RECENT = `
  SELECT answer FROM collection
  WHERE status = 'success' AND started_at > $1 AND components->'market_data'->>'status' <> 'skipped'
  ORDER BY started_at DESC, id DESC LIMIT 1`;
