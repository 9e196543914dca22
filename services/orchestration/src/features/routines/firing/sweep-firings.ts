import type { Context } from '../../../context';

const BATCH = 500;

const PENDING = `
  UPDATE routine_run SET hinted_at = now() WHERE id IN (
    SELECT id FROM routine_run
    WHERE status = 'pending' AND coalesce(hinted_at, created_at) < now() - interval '2 seconds'
    ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

const FORGET = `
  DELETE FROM webhook_signature WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_signature WHERE expires_at < clock_timestamp() LIMIT ${BATCH}))`;

/**
 * Repeats the hint for firings that nobody has in hand, and forgets signatures whose timestamp is no
 * longer good anyway.
 */
export async function sweepFirings(context: Pick<Context, 'db' | 'hints'>): Promise<number> {
  const { db, hints } = context;
  const rows = await db.rows<{ id: string }>('sweep-firings', PENDING, []);
  await Promise.all(rows.map(({ id }) => hints.hint('routine-firings', { routineRunId: id })));
  await db.rows('forget-signatures', FORGET, []);
  return rows.length;
}
